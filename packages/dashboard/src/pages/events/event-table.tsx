import type { EventRowWire } from '@tributary/contract';
import { Link } from '@tanstack/react-router';
import type { Environment } from '../../api/client/client.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Chip } from '../../components/feedback/badge.tsx';
import { Card } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { None, Tip } from '../../components/overlays/tip.tsx';
import { dayAndTime, format, number, shortDay } from '../../words/time.ts';
import type { EventSearch } from './event-filters.tsx';
import { summarizeEvent } from './summarize-event.ts';

export interface EventTableProps {
  rows: readonly EventRowWire[];
  current: string | null;
  search: EventSearch;
}

export function EventTable({ rows, current, search }: EventTableProps) {
  const environment = useEnvironment();
  const activeFilters = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
  return (
    <Card padded={false}>
      <Table<EventRowWire>
        label="Events"
        rows={rows}
        rowKey={({ event }) => event.event_id}
        copy={({ event }) => event.event_id}
        currentKey={current}
        columns={columnsOf(environment, activeFilters)}
      />
      <div className="list-foot">{number(rows.length)} shown</div>
    </Card>
  );
}

/** "22:41:07", with the day if it is not today. */
function clock(at: string): string {
  const date = new Date(at);
  const time = format(date, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  return date.toDateString() === new Date().toDateString() ? time : `${shortDay(date)} ${time}`;
}

function columnsOf(
  environment: Environment,
  activeFilters: Record<string, string>,
): readonly Column<EventRowWire>[] {
  return [
    {
      key: 'type',
      label: 'Event',
      cell: ({ event }) => (
        <Link
          to="/$environment/events/$eventId"
          params={{ environment, eventId: event.event_id }}
          search={activeFilters}
          resetScroll={false}
          aria-label={`${event.event_type} ${event.event_id}`}
        >
          <Chip>{event.event_type}</Chip>
        </Link>
      ),
    },
    {
      key: 'user',
      label: 'User',
      wideOnly: true,
      cell: ({ event }) => (
        <Link to="/$environment/users/$userId" params={{ environment, userId: event.user_id }}>
          <code>{event.user_id}</code>
        </Link>
      ),
    },
    {
      key: 'what',
      label: 'Details',
      wideOnly: true,
      cell: ({ event }) => {
        const summary = summarizeEvent(event);
        return summary === null ? (
          <None reason="No further details" />
        ) : (
          <span className="event-what">{summary}</span>
        );
      },
    },
    {
      key: 'at',
      label: 'Time',
      number: true,
      cell: ({ event }) => (
        <Tip text={dayAndTime(event.timestamp)} end>
          <time dateTime={event.timestamp} className="event-time">
            {clock(event.timestamp)}
          </time>
        </Tip>
      ),
    },
  ];
}
