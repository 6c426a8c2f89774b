import type { WebhookHealthWire, WebhookWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRefusal } from '../../api/role.ts';
import { webhookHealthQuery, webhookQuery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { Id } from '../../components/feedback/copy.tsx';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { PageHead } from '../../components/page.tsx';
import { WithPanel } from '../../components/panel.tsx';
import { Menu } from '../../components/overlays/menu.tsx';
import { Time } from '../../components/overlays/tip.tsx';
import { later } from '../../components/overlays/later.ts';
import { ConditionMark } from './condition.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { TroubleNotice } from './trouble-notice.tsx';
import type { WebhookAct } from './dialog-props.ts';
import { WebhookFacts } from './webhook-facts.tsx';
import { conditionOf } from './webhook-text.ts';
import './webhooks.css';

/** Loaded on demand. */
const DeliveryPanel = later(() => import('./delivery-panel.tsx').then((module) => module.DeliveryPanel));
const WebhookDialogs = later(() => import('./webhook-dialogs.tsx').then((module) => module.WebhookDialogs));

/** One endpoint: its problem first, then its subscription, then all deliveries. */
export function WebhookPage() {
  const environment = useEnvironment();
  const { webhookId = '' } = useParams({ strict: false });
  const { status = null, delivery = null } = useSearch({ strict: false });
  const navigate = useNavigate();
  const webhook = useQuery(webhookQuery(environment, webhookId));
  const healths = useQuery({ ...webhookHealthQuery(environment), refetchInterval: 10_000 });
  const health = healths.data?.data.find(({ id }) => id === webhookId);
  const show = (search: { status?: string | null; delivery?: string | null }) =>
    void navigate({
      to: '/$environment/webhooks/$webhookId',
      params: { environment, webhookId },
      search: clean({ status, delivery, ...search }),
      resetScroll: false,
    });
  const data = webhook.data?.data;
  return (
    <WithPanel
      panel={
        delivery !== null && (
          <DeliveryPanel
            key={delivery}
            webhookId={webhookId}
            eventId={delivery}
            onClose={() => show({ delivery: null })}
          />
        )
      }
    >
      <div className="page">
        {data ? (
          <Endpoint
            webhook={data}
            health={health ?? null}
            status={status}
            delivery={delivery}
            onShow={show}
          />
        ) : (
          <>
            <PageHead title="Webhook" crumbs={[<Back key="back" />]} />
            {webhook.error ? (
              <ErrorBox
                error={webhook.error}
                title="Could not load endpoint."
                onRetry={() => void webhook.refetch()}
              />
            ) : (
              <Skeleton heights={[120, 320]} label="Loading endpoint" />
            )}
          </>
        )}
      </div>
    </WithPanel>
  );
}

interface EndpointProps {
  webhook: WebhookWire;
  health: WebhookHealthWire | null;
  status: string | null;
  delivery: string | null;
  onShow: (search: { status?: string | null; delivery?: string | null }) => void;
}

function Endpoint({ webhook, health, status, delivery, onShow }: EndpointProps) {
  const reason = useRefusal('developer', 'change webhooks');
  const [act, setAct] = useState<WebhookAct | null>(null);
  const inactive = webhook.status === 'active' ? null : 'The endpoint is not active.';
  return (
    <>
      <PageHead
        title={webhook.url}
        crumbs={[<Back key="back" />]}
        mark={<ConditionMark condition={conditionOf(webhook, health)} />}
        lead={
          <>
            <Id value={webhook.id} />
            <span>
              created <Time at={webhook.created_at} />
            </span>
          </>
        }
        actions={
          <>
            <Curl method="GET" path={`/v1/webhooks/${webhook.id}`} />
            <Button reason={reason ?? inactive} onPress={() => setAct('test')}>
              Send test
            </Button>
            <Button reason={reason} onPress={() => setAct('pause')}>
              {webhook.status === 'active' ? 'Pause' : 'Activate'}
            </Button>
            <Menu
              label="More"
              entries={[
                { id: 'change', label: 'Edit endpoint', reason, onAction: () => setAct('change') },
                { id: 'rotate', label: 'Rotate secret', reason, onAction: () => setAct('rotate') },
                {
                  id: 'recover',
                  label: 'Recover missed events',
                  reason: reason ?? inactive,
                  onAction: () => setAct('recover'),
                },
                {
                  id: 'remove',
                  label: 'Remove endpoint',
                  danger: true,
                  reason,
                  onAction: () => setAct('remove'),
                },
              ]}
            />
          </>
        }
      />
      <TroubleNotice webhook={webhook} health={health} reason={reason} onAct={setAct} />
      <WebhookFacts webhook={webhook} health={health} />
      <DeliveryList webhook={webhook} status={status} current={delivery} onShow={onShow} />
      {act && <WebhookDialogs act={act} webhook={webhook} onClose={() => setAct(null)} />}
    </>
  );
}

function Back() {
  return (
    <Link to="/$environment/webhooks" params={{ environment: useEnvironment() }}>
      Webhooks
    </Link>
  );
}

/** Removes unset parameters from the URL. */
function clean(search: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).filter((pair): pair is [string, string] => pair[1] !== null),
  );
}
