import type { EventRowWire, ListedWebhookWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isFailure } from '../../api/failure.ts';
import { eventQuery } from '../../api/events.ts';
import { deliveryQuery, webhooksQuery } from '../../api/webhooks.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Chip } from '../../components/badge.tsx';
import { Json } from '../../components/code.tsx';
import { Curl } from '../../components/command.tsx';
import { CopyButton, Id } from '../../components/copy.tsx';
import { ErrorBox, Notice, Skeleton } from '../../components/feedback.tsx';
import { Panel } from '../../components/panel.tsx';
import { None, Time } from '../../components/tip.tsx';
import { ConditionMark } from '../webhooks/condition.tsx';
import { deliveryCondition } from '../webhooks/webhook-text.ts';

export interface EventPanelProps {
  eventId: string;
  /** As the table has it; null when one came here by its address. */
  row: EventRowWire | null;
  onClose: () => void;
}

/** One event: what it says, what became of it, and where to go on from. */
export function EventPanel({ eventId, row, onClose }: EventPanelProps) {
  const environment = useEnvironment();
  const found = useQuery({ ...eventQuery(environment, eventId), enabled: row === null });
  const shown = row ?? found.data ?? null;
  return (
    <Panel title="Event" onClose={onClose}>
      {shown && <EventView {...shown} />}
      {!shown && found.isPending && <Skeleton heights={[140, 220]} label="Looking for the event" />}
      {!shown && found.error && (
        <ErrorBox
          error={found.error}
          title="The event could not be loaded."
          onRetry={() => void found.refetch()}
        />
      )}
      {!shown && found.data === null && (
        <Notice title="There is no such event.">
          Events are kept for 400 days, unless this service is set otherwise; <code>{eventId}</code> is not
          among them.
        </Notice>
      )}
    </Panel>
  );
}

function EventView({ event, cursor }: EventRowWire) {
  const environment = useEnvironment();
  const webhooks = useQuery(webhooksQuery(environment)).data?.data ?? [];
  const told = webhooks.filter(({ events }) => events.includes('*') || events.includes(event.event_type));
  return (
    <>
      <dl className="event-facts">
        <dt>Type</dt>
        <dd>
          <Chip>{event.event_type}</Chip>
        </dd>
        <dt>Id</dt>
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
            <CopyButton text={cursor} label="Copy the cursor" />
          </span>
        </dd>
      </dl>
      <div className="row">
        <Curl method="GET" path="/v1/events" query={{ cursor }} />
        <span className="quiet">everything after it</span>
      </div>
      <Json value={event} label="Event" />
      <section className="event-part">
        <h3>Deliveries</h3>
        {told.length === 0 && <p className="quiet">No endpoint is told of this type.</p>}
        <ul className="event-deliveries">
          {told.map((webhook) => (
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
      {isFailure(delivery.error, 404) && <None reason="It was not told of this event" />}
    </li>
  );
}
