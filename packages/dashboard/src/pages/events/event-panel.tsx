import type { EventRowWire, ListedWebhookWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isFailure } from '../../api/client/failure.ts';
import { eventQuery } from '../../api/events.ts';
import { deliveryQuery, webhooksQuery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Chip } from '../../components/feedback/badge.tsx';
import { Json } from '../../components/code/code.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { CopyButton, Id } from '../../components/feedback/copy.tsx';
import { ErrorBox, Notice, Skeleton } from '../../components/feedback/feedback.tsx';
import { Panel } from '../../components/panel.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { ConditionMark } from '../webhooks/condition.tsx';
import { deliveryCondition } from '../webhooks/webhook-text.ts';

export interface EventPanelProps {
  eventId: string;
  /** The row in the table, or null if the page was opened by URL. */
  row: EventRowWire | null;
  onClose: () => void;
}

/** One event with its content, its deliveries and its cursor. */
export function EventPanel({ eventId, row, onClose }: EventPanelProps) {
  const environment = useEnvironment();
  const eventResult = useQuery({ ...eventQuery(environment, eventId), enabled: row === null });
  const shown = row ?? eventResult.data ?? null;
  return (
    <Panel title="Event" onClose={onClose}>
      {shown && <EventView {...shown} />}
      {!shown && eventResult.isPending && <Skeleton heights={[140, 220]} label="Loading event" />}
      {!shown && eventResult.error && (
        <ErrorBox
          error={eventResult.error}
          title="Could not load event."
          onRetry={() => void eventResult.refetch()}
        />
      )}
      {!shown && eventResult.data === null && (
        <Notice title="Event not found.">
          No stored event has the ID <code>{eventId}</code>. Events are kept for 400 days unless your operator
          configured another period.
        </Notice>
      )}
    </Panel>
  );
}

function EventView({ event, cursor }: EventRowWire) {
  const environment = useEnvironment();
  const webhooks = useQuery(webhooksQuery(environment)).data?.data ?? [];
  const matchingWebhooks = webhooks.filter(
    ({ events }) => events.includes('*') || events.includes(event.event_type),
  );
  return (
    <>
      <dl className="event-facts">
        <dt>Type</dt>
        <dd>
          <Chip>{event.event_type}</Chip>
        </dd>
        <dt>ID</dt>
        <dd>
          <Id value={event.event_id} />
        </dd>
        <dt>User</dt>
        <dd>
          <Link to="/$environment/users/$userId" params={{ environment, userId: event.user_id }}>
            <code>{event.user_id}</code>
          </Link>
        </dd>
        <dt>Time</dt>
        <dd>
          <Time at={event.timestamp} />
        </dd>
        <dt>Cursor</dt>
        <dd>
          <span className="event-cursor">
            <code>{cursor}</code>
            <CopyButton text={cursor} label="Copy cursor" />
          </span>
        </dd>
      </dl>
      <div className="row">
        <Curl method="GET" path="/v1/events" query={{ cursor }} />
        <span className="quiet">Events after this one</span>
      </div>
      <Json value={event} label="Event" />
      <section className="event-part">
        <h3>Deliveries</h3>
        {matchingWebhooks.length === 0 && <p className="quiet">No endpoint subscribes to this event type.</p>}
        <ul className="event-deliveries">
          {matchingWebhooks.map((webhook) => (
            <DeliveryLine key={webhook.id} webhook={webhook} eventId={event.event_id} />
          ))}
        </ul>
      </section>
    </>
  );
}

function DeliveryLine({ webhook, eventId }: { webhook: ListedWebhookWire; eventId: string }) {
  const environment = useEnvironment();
  const delivery = useQuery(deliveryQuery(environment, webhook.id, eventId));
  return (
    <li>
      <Link
        to="/$environment/webhooks/$webhookId"
        params={{ environment, webhookId: webhook.id }}
        search={{ delivery: eventId }}
      >
        {webhook.url}
      </Link>
      {delivery.data && <ConditionMark condition={deliveryCondition(delivery.data.data)} />}
      {isFailure(delivery.error, 404) && <None reason="No delivery for this event" />}
    </li>
  );
}
