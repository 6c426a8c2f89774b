import type { AttemptWire, DeliveryDetailWire } from '@tributary/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useRefusal } from '../../api/role.ts';
import { deliveryQuery, resendDelivery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Badge, Chip, State } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { CodeBlock, Json } from '../../components/code/code.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { Id } from '../../components/feedback/copy.tsx';
import { ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Panel } from '../../components/panel.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { number } from '../../words/time.ts';
import { ConditionMark } from './condition.tsx';
import { deliveryCondition } from './webhook-text.ts';

export interface DeliveryPanelProps {
  webhookId: string;
  eventId: string;
  onClose: () => void;
}

/** One delivery: its payload, its signature and the response to each attempt. */
export function DeliveryPanel({ webhookId, eventId, onClose }: DeliveryPanelProps) {
  const environment = useEnvironment();
  const delivery = useQuery({ ...deliveryQuery(environment, webhookId, eventId), refetchInterval: 5_000 });
  const data = delivery.data?.data;
  return (
    <Panel title="Delivery" onClose={onClose}>
      {delivery.error && !data && (
        <ErrorBox
          error={delivery.error}
          title="Could not load delivery."
          onRetry={() => void delivery.refetch()}
        />
      )}
      {delivery.isPending && <Skeleton heights={[120, 200]} label="Loading delivery" />}
      {data && <DeliveryView webhookId={webhookId} delivery={data} />}
    </Panel>
  );
}

function DeliveryView({ webhookId, delivery }: { webhookId: string; delivery: DeliveryDetailWire }) {
  const environment = useEnvironment();
  return (
    <>
      <dl className="webhook-facts">
        <dt>Status</dt>
        <dd>
          <ConditionMark condition={deliveryCondition(delivery)} />
        </dd>
        <dt>Event</dt>
        <dd>
          <Id value={delivery.event_id} />
        </dd>
        <dt>Type</dt>
        <dd>
          <Chip>{delivery.event_type}</Chip> {delivery.test && <span className="quiet">test event</span>}
        </dd>
        <dt>User</dt>
        <dd>
          {delivery.user_id ? <Id value={delivery.user_id} /> : <None reason="Test events have no user" />}
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={delivery.created_at} />
        </dd>
        <dt>Next attempt</dt>
        <dd>
          {delivery.next_attempt_at ? (
            <Time at={delivery.next_attempt_at} />
          ) : (
            <None
              reason={delivery.held ? 'Held until the endpoint is active' : 'No further attempt scheduled'}
            />
          )}
        </dd>
        {delivery.merged_into && (
          <>
            <dt>Merged into</dt>
            <dd>
              <Link
                to="/$environment/webhooks/$webhookId"
                params={{ environment, webhookId }}
                search={{ delivery: delivery.merged_into }}
              >
                <code>{delivery.merged_into}</code>
              </Link>
            </dd>
          </>
        )}
      </dl>
      <ResendRow webhookId={webhookId} delivery={delivery} />
      <section className="delivery-part">
        <h3>Attempts</h3>
        {delivery.attempts.length === 0 ? (
          <p className="quiet">No attempts yet.</p>
        ) : (
          <ol className="attempts">
            {delivery.attempts.toReversed().map((attempt) => (
              <Attempt key={attempt.at} attempt={attempt} />
            ))}
          </ol>
        )}
      </section>
      <section className="delivery-part">
        <h3>Request</h3>
        <CodeBlock text={headersOf(delivery)} label="Headers" />
        {delivery.event ? (
          <Json value={delivery.event} label="Body" />
        ) : (
          <p className="quiet">This event is no longer in the feed.</p>
        )}
      </section>
    </>
  );
}

/** The headers as sent. Each attempt has a new timestamp and signature. */
function headersOf({ event_id: id }: DeliveryDetailWire): string {
  return [
    'POST · content-type: application/json',
    `webhook-id: ${id}`,
    'webhook-timestamp: time of the attempt, in Unix seconds',
    'webhook-signature: v1,base64(HMAC-SHA256(secret, id.timestamp.body))',
  ].join('\n');
}

function Attempt({ attempt }: { attempt: AttemptWire }) {
  const { at, status, error, milliseconds, answer: response } = attempt;
  const isGood = status !== null && status >= 200 && status < 300;
  return (
    <li>
      <div>
        {isGood ? <State>{status}</State> : <Badge tone="bad">{status ?? 'No response'}</Badge>}
        <span className="quiet">
          <Time at={at} end />, {number(milliseconds)} ms
        </span>
      </div>
      {error && <p>{error}</p>}
      {response && (
        <pre tabIndex={0} role="group" aria-label="Response body">
          {response}
        </pre>
      )}
    </li>
  );
}

function ResendRow({ webhookId, delivery }: { webhookId: string; delivery: DeliveryDetailWire }) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const refusal = useRefusal('developer', 'resend deliveries');
  const path = `/v1/webhooks/${webhookId}/deliveries/${delivery.event_id}/resend`;
  const resend = useMutation({
    mutationFn: () => resendDelivery(environment, webhookId, delivery.event_id),
    onSuccess: async () => {
      toast('Queued for delivery');
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['deliveries', environment, webhookId] }),
        queryClient.invalidateQueries({ queryKey: ['delivery', environment, webhookId] }),
      ]);
    },
  });
  const merged = delivery.status === 'merged' ? 'Merged into a later event. Resend that one instead.' : null;
  return (
    <div className="delivery-part">
      <div className="row">
        <Button
          reason={refusal ?? merged ?? (delivery.held ? 'The endpoint is not active.' : null)}
          isPending={resend.isPending}
          onPress={() => resend.mutate()}
        >
          <RotateCw size={14} aria-hidden />
          {delivery.status === 'pending' ? 'Retry now' : 'Resend'}
        </Button>
        <Curl method="POST" path={path} />
      </div>
      {resend.error && <ErrorBox error={resend.error} title="Delivery not sent." />}
    </div>
  );
}
