import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useEnvironment } from '../../app/environment.ts';
import { Badge, State } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { WithPanel } from '../../components/panel.tsx';
import { later } from '../../components/overlays/later.ts';
import { EventFilters, type EventSearch } from './event-filters.tsx';
import { EventTable } from './event-table.tsx';
import './events.css';
import type { Tail } from './tail-rows.ts';
import { useTail } from './use-tail.ts';

/** Loaded on demand. */
const EventPanel = later(() => import('./event-panel.tsx').then((module) => module.EventPanel));

/** The live tail. New rows appear at the top and never move the rows being read. */
export function EventsPage() {
  const environment = useEnvironment();
  const { eventId = null } = useParams({ strict: false });
  const { type = '', user = '', metric = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [isPaused, setIsPaused] = useState(false);
  const search: EventSearch = { type, user, metric };
  const userId = user.startsWith('user_') ? user : null;
  const { tail, error, older, showUnread, retry } = useTail({ environment, types: type, userId, isPaused });
  const rows = metric === '' ? tail.rows : tail.rows.filter(({ event }) => event.metrics.includes(metric));
  const set = (part: Partial<EventSearch>) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== '');
    void navigate({
      to: '/$environment/events',
      params: { environment },
      search: Object.fromEntries(next),
      replace: true,
    });
  };
  const toggle = () => {
    if (isPaused) showUnread();
    setIsPaused(!isPaused);
  };
  return (
    <WithPanel
      panel={
        eventId !== null && (
          <EventPanel
            key={eventId}
            eventId={eventId}
            row={[...tail.rows, ...tail.unread].find(({ event }) => event.event_id === eventId) ?? null}
            onClose={() => set({})}
          />
        )
      }
    >
      <div className="page">
        <PageHead
          title="Events"
          mark={<Connection tail={tail} isPaused={isPaused} />}
          lead="Changes to your users' data, as they happen."
          actions={
            <>
              <Curl method="GET" path="/v1/events/stream" query={{ type: type || null, user_id: userId }} />
              <Button onPress={toggle}>
                {isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
                {isPaused ? 'Resume' : 'Pause'}
              </Button>
            </>
          }
        />
        <EventFilters search={search} rows={tail.rows} onChange={set} />
        {error !== null && (
          <ErrorBox error={error} title="Could not follow the event stream." onRetry={retry} />
        )}
        <div className="news" role="status">
          {tail.unread.length > 0 && (
            <Button
              small
              onPress={() => {
                showUnread();
                scrollTo({ top: 0 });
              }}
            >
              {tail.unread.length} new
            </Button>
          )}
        </div>
        {rows.length > 0 && <EventTable rows={rows} current={eventId} search={search} />}
        {rows.length === 0 && error === null && !tail.isRead && (
          <Skeleton heights={[34, 40, 40, 40, 40]} label="Loading events" />
        )}
        {rows.length === 0 && (error !== null || tail.isRead) && (
          <Card>
            <NoEvents
              isFiltered={type !== '' || user !== '' || metric !== ''}
              isFailed={error !== null}
              hasOlder={tail.older !== null}
            />
          </Card>
        )}
        {older.error && <ErrorBox error={older.error} title="Could not load older events." />}
        {tail.older !== null && (
          <div className="list-foot">
            <Button small isPending={older.isLoading} onPress={older.load}>
              Show older events
            </Button>
          </div>
        )}
      </div>
    </WithPanel>
  );
}

function Connection({ tail, isPaused }: { tail: Tail; isPaused: boolean }) {
  if (isPaused) return <Badge tone="info">Paused</Badge>;
  if (tail.connection === 'lost') return <Badge tone="warn">Reconnecting</Badge>;
  return (
    <State tone={tail.connection === 'live' ? 'ok' : 'plain'}>
      {tail.connection === 'live' ? 'Live' : 'Connecting'}
    </State>
  );
}

function NoEvents({
  isFiltered,
  isFailed,
  hasOlder,
}: {
  isFiltered: boolean;
  isFailed: boolean;
  hasOlder: boolean;
}) {
  if (hasOlder)
    return <Empty title="No matches among the newest events." waiting="Waiting for the next event" />;
  return (
    <Empty
      title={isFiltered ? 'No matching events yet.' : 'Events will appear here as they happen.'}
      request={{ method: 'POST', path: '/v1/users', body: { reference_id: 'first-user' } }}
      {...(!isFailed && {
        waiting: isFiltered ? 'Waiting for the next event' : 'Waiting for the first event',
      })}
    >
      Create a user, connect a device or advance a sandbox user by one day.
    </Empty>
  );
}
