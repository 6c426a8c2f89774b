import { useInfiniteQuery } from '@tanstack/react-query';
import type { EventWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { userEventsQuery } from '../../api/events.ts';
import { followEvents } from '../../api/client/stream.ts';
import { Chip } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { plural, shortDay } from '../../words/time.ts';
import { usePerson } from './person.ts';

/** Events of the user, newest first, with live updates. */
export function EventsTab() {
  const { user, whose } = usePerson();
  const feed = useInfiniteQuery(userEventsQuery(whose.environment, user.id));
  const fresh = useFresh(feed.data?.pages[0]?.cursor ?? null);
  if (feed.error && !feed.data)
    return <ErrorBox error={feed.error} title="Could not load events." onRetry={() => void feed.refetch()} />;
  if (!feed.data) return <Skeleton heights={[320]} label="Loading events" />;
  const read = feed.data.pages.flatMap(({ data }) => data.map(({ event }) => event));
  const events = [...fresh, ...read];
  const request = { method: 'GET', path: '/v1/events', query: { user_id: user.id } } as const;
  return (
    <Card
      title="Events"
      note={`${plural(events.length, 'event')}${feed.hasNextPage ? ' and more' : ''}, newest first`}
      padded={false}
      actions={<Curl {...request} />}
    >
      {events.length === 0 ? (
        <Empty
          title="Changes to this user's data will appear here."
          request={request}
          waiting="Waiting for the first event"
        />
      ) : (
        <>
          <Table
            label="Events"
            columns={columnsOf(whose.environment)}
            rows={events}
            rowKey={({ event_id }) => event_id}
            copy={({ event_id }) => event_id}
          />
          {feed.hasNextPage && (
            <div className="list-foot">
              <Button small isPending={feed.isFetchingNextPage} onPress={() => void feed.fetchNextPage()}>
                Show older events
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}

/** Events since the feed was read, newest first. */
function useFresh(cursor: string | null): readonly EventWire[] {
  const { whose } = usePerson();
  const { environment, userId } = whose;
  // Arrived events belong to the cursor they follow.
  const [came, setCame] = useState<{ after: string; events: readonly EventWire[] } | null>(null);
  useEffect(() => {
    if (cursor === null) return;
    const stop = new AbortController();
    const after = cursor;
    async function follow() {
      for await (const step of followEvents({ environment, userId, cursor }, stop.signal))
        if (step.kind === 'event')
          setCame((before) => ({
            after,
            events: [step.event, ...(before?.after === after ? before.events : [])],
          }));
    }
    // Events received so far stay. The next read continues from there.
    follow().catch(() => {});
    return () => stop.abort();
  }, [environment, userId, cursor]);
  return came?.after === cursor ? came.events : [];
}

function columnsOf(environment: 'live' | 'sandbox'): readonly Column<EventWire>[] {
  return [
    {
      key: 'type',
      label: 'Event',
      cell: ({ event_id, event_type }) => (
        <Link to="/$environment/events/$eventId" params={{ environment, eventId: event_id }}>
          <Chip>{event_type}</Chip>
        </Link>
      ),
    },
    { key: 'at', label: 'Time', cell: ({ timestamp }) => <Time at={timestamp} /> },
    {
      key: 'about',
      label: 'Details',
      cell: ({ metrics, data }) =>
        metrics.length === 0
          ? (data.provider ?? <None reason="No metrics" />)
          : `${metrics.slice(0, 3).join(', ')}${metrics.length > 3 ? ` and ${metrics.length - 3} more` : ''}`,
    },
    {
      key: 'days',
      label: 'Days',
      wideOnly: true,
      cell: ({ data }) => formatDays(data) ?? <None reason="No dates" />,
    },
  ];
}

function formatDays({ first_date, last_date }: EventWire['data']): string | null {
  if (!first_date || !last_date) return null;
  return first_date === last_date ? shortDay(first_date) : `${shortDay(first_date)} – ${shortDay(last_date)}`;
}
