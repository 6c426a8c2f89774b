import type { EventWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Environment } from '../../api/client/client.ts';
import { readNewest } from '../../api/events.ts';
import { followEvents } from '../../api/client/stream.ts';
import { Chip } from '../../components/feedback/badge.tsx';
import { Card } from '../../components/page.tsx';
import { dayAndTime, format } from '../../words/time.ts';

const mostRows = 8;
type ConnectionState = 'connecting' | 'live' | 'lost' | 'refused';

/** The newest events, live. */
export function LiveEvents({ environment }: { environment: Environment }) {
  const { events, state } = useNewest(environment);
  return (
    <Card
      title="Live events"
      padded={false}
      actions={
        <Link to="/$environment/events" params={{ environment }}>
          All events
        </Link>
      }
    >
      <ol className="live-events" aria-label="Newest events">
        {events.map(({ event_id, event_type, timestamp, user_id, metrics, data }) => (
          <li key={event_id}>
            <time dateTime={timestamp} title={dayAndTime(timestamp)}>
              {format(new Date(timestamp), { hour: '2-digit', minute: '2-digit', second: '2-digit' })}
            </time>
            <Link to="/$environment/events/$eventId" params={{ environment, eventId: event_id }}>
              <Chip>{event_type}</Chip>
            </Link>
            <Link
              className="live-user"
              to="/$environment/users/$userId"
              params={{ environment, userId: user_id }}
            >
              {user_id.slice(0, 12)}…{user_id.slice(-4)}
            </Link>
            <span className="live-what">{metrics.slice(0, 2).join(', ') || data.provider || ''}</span>
          </li>
        ))}
      </ol>
      <p className="waiting live-state" role="status">
        <span className="dot" aria-hidden="true" />
        {describeState(state, events.length)}
      </p>
    </Card>
  );
}

function describeState(state: ConnectionState, count: number): string {
  if (state === 'lost') return 'Connection lost. Reconnecting';
  if (state === 'refused') return 'Live events are unavailable';
  if (state === 'connecting') return 'Connecting';
  return count === 0 ? 'Waiting for the first event' : 'Waiting for the next event';
}

function useNewest(environment: Environment): { events: readonly EventWire[]; state: ConnectionState } {
  const [events, setEvents] = useState<readonly EventWire[]>([]);
  const [state, setState] = useState<ConnectionState>('connecting');
  useEffect(() => {
    const stop = new AbortController();
    async function follow() {
      const { data, cursor } = await readNewest(
        { environment, types: [], userId: null },
        { limit: mostRows, signal: stop.signal },
      );
      setEvents(data.map(({ event }) => event));
      for await (const step of followEvents({ environment, cursor }, stop.signal)) {
        if (step.kind === 'event') setEvents((before) => [step.event, ...before].slice(0, mostRows));
        else setState(step.kind === 'lost' ? 'lost' : 'live');
      }
    }
    follow().catch(() => !stop.signal.aborted && setState('refused'));
    return () => stop.abort();
  }, [environment]);
  return { events, state };
}
