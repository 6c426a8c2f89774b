import { useInfiniteQuery } from '@tanstack/react-query';
import type { EventWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { userEventsQuery } from '../../api/events.ts';
import { followEvents } from '../../api/stream.ts';
import { Chip } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Curl } from '../../components/command.tsx';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { None, Time } from '../../components/tip.tsx';
import { plural, shortDay } from '../../words/time.ts';
import { usePerson } from './person.ts';

/** What happened, newest first; what happens now comes by itself. */
export function EventsTab() {
  const { user, whose } = usePerson();
  const feed = useInfiniteQuery(userEventsQuery(whose.environment, user.id));
  const fresh = useFresh(feed.data?.pages[0]?.cursor ?? null);
  if (feed.error && !feed.data)
    return (
      <ErrorBox
        error={feed.error}
        title="The events could not be loaded."
        onRetry={() => void feed.refetch()}
      />
    );
  if (!feed.data) return <Skeleton heights={[320]} label="Loading the events" />;
  const read = feed.data.pages.flatMap(({ data }) => data.map(({ event }) => event));
  const events = [...fresh, ...read];
  const request = { method: 'GET', path: '/v1/events', query: { user_id: user.id } } as const;
  return (
    <Card
      title="Events"
      note={`${plural(events.length, 'event')}${feed.hasNextPage ? ' and more' : ''} of this user, newest first`}
      padded={false}
      actions={<Curl {...request} />}
    >
      {events.length === 0 ? (
        <Empty
          title="Everything that happens to the data of this user is told here."
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

/** Events since the feed was read, the newest first. */
function useFresh(cursor: string | null): readonly EventWire[] {
  const { whose } = usePerson();
  const { environment, userId } = whose;
  // What came belongs to the cursor that it came after.
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
    // What was read stays; the next reading goes on from there.
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
    { key: 'at', label: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
    {
      key: 'about',
      label: 'About',
      cell: ({ metrics, data }) =>
        metrics.length === 0
          ? (data.provider ?? <None reason="This event is about no metric" />)
          : `${metrics.slice(0, 3).join(', ')}${metrics.length > 3 ? ` and ${metrics.length - 3} more` : ''}`,
    },
    {
      key: 'days',
      label: 'Days',
      wideOnly: true,
      cell: ({ data }) => sayDays(data) ?? <None reason="This event is about no day" />,
    },
  ];
}

function sayDays({ first_date, last_date }: EventWire['data']): string | null {
  if (!first_date || !last_date) return null;
  return first_date === last_date ? shortDay(first_date) : `${shortDay(first_date)} – ${shortDay(last_date)}`;
}
