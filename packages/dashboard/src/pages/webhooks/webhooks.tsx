import type { ListedWebhookWire, WebhookHealthWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { useRefusal } from '../../api/role.ts';
import { webhookHealthQuery, webhooksQuery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { later } from '../../components/overlays/later.ts';
import { number } from '../../words/time.ts';
import { ConditionMark } from './condition.tsx';
import { HealthBars } from './health-bars.tsx';
import { conditionOf } from './webhook-text.ts';
import './webhooks.css';

/** Loaded on demand. */
const CreateDialog = later(() => import('./create-dialog.tsx').then((module) => module.CreateDialog));

export function WebhooksPage() {
  const environment = useEnvironment();
  const webhooks = useQuery(webhooksQuery(environment));
  const reason = useRefusal('developer', 'change webhooks');
  const [isCreating, setIsCreating] = useState(false);
  const rows = webhooks.data?.data;
  return (
    <div className="page">
      <PageHead
        title="Webhooks"
        lead="Endpoints that receive your events. Deliveries are signed and retried for days until acknowledged."
        actions={
          <>
            <Curl method="GET" path="/v1/webhooks" />
            <Button kind="primary" reason={reason} onPress={() => setIsCreating(true)}>
              <Plus size={14} aria-hidden />
              Add endpoint
            </Button>
          </>
        }
      />
      {webhooks.error && !rows && (
        <ErrorBox
          error={webhooks.error}
          title="Could not load webhooks."
          onRetry={() => void webhooks.refetch()}
        />
      )}
      {webhooks.isPending && <Skeleton heights={[160]} label="Loading webhooks" />}
      {rows && rows.length === 0 && (
        <Card>
          <Empty
            title="Your endpoints and their health will appear here."
            request={{
              method: 'POST',
              path: '/v1/webhooks',
              body: { url: 'https://example.com/hooks/tributary', events: ['*'] },
            }}
            action={
              <Button reason={reason} onPress={() => setIsCreating(true)}>
                Add endpoint
              </Button>
            }
            waiting="Waiting for the first endpoint"
          />
        </Card>
      )}
      {rows && rows.length > 0 && <WebhookTable environment={environment} rows={rows} />}
      {isCreating && <CreateDialog environment={environment} onClose={() => setIsCreating(false)} />}
    </div>
  );
}

function WebhookTable({
  environment,
  rows,
}: {
  environment: Environment;
  rows: readonly ListedWebhookWire[];
}) {
  const health = useQuery(webhookHealthQuery(environment));
  const healthOf = (id: string) => health.data?.data.find((one) => one.id === id) ?? null;
  return (
    <Card padded={false}>
      <Table<ListedWebhookWire>
        label="Endpoints"
        rows={rows}
        rowKey={(webhook) => webhook.id}
        copy={(webhook) => webhook.id}
        columns={columnsOf(environment, healthOf, health.isPending)}
      />
      {health.error && (
        <div className="card-body">
          <ErrorBox
            error={health.error}
            title="Could not load endpoint health."
            onRetry={() => void health.refetch()}
          />
        </div>
      )}
    </Card>
  );
}

function Waiting({ health }: { health: WebhookHealthWire | null }) {
  if (!health || health.waiting.value === 0) return <None reason="No pending deliveries" />;
  return (
    <>
      {number(health.waiting.value)}
      {health.waiting.more && '+'}
      {health.oldest_waiting_at && (
        <span className="quiet">
          , oldest <Time at={health.oldest_waiting_at} />
        </span>
      )}
    </>
  );
}

function columnsOf(
  environment: Environment,
  healthOf: (id: string) => WebhookHealthWire | null,
  isLoading: boolean,
): readonly Column<ListedWebhookWire>[] {
  return [
    {
      key: 'url',
      label: 'Endpoint',
      cell: (webhook) => (
        <Link
          to="/$environment/webhooks/$webhookId"
          params={{ environment, webhookId: webhook.id }}
          className="webhook-url"
        >
          {webhook.url}
        </Link>
      ),
    },
    {
      key: 'state',
      label: 'Status',
      cell: (webhook) => <ConditionMark condition={conditionOf(webhook, healthOf(webhook.id))} />,
    },
    {
      key: 'events',
      label: 'Events',
      wideOnly: true,
      cell: ({ events }) =>
        events.includes('*') ? 'All' : events.length === 1 ? events[0] : `${events.length} types`,
    },
    {
      key: 'success',
      label: 'Last 24 hours',
      wideOnly: true,
      cell: (webhook) => <HealthBars health={healthOf(webhook.id)} isLoading={isLoading} small />,
    },
    {
      key: 'waiting',
      label: 'Pending',
      number: true,
      wideOnly: true,
      cell: (webhook) => <Waiting health={healthOf(webhook.id)} />,
    },
    {
      key: 'last',
      label: 'Last attempt',
      wideOnly: true,
      cell: ({ last_delivery_at: at }) => (at ? <Time at={at} end /> : <None reason="Nothing sent yet" />),
    },
  ];
}
