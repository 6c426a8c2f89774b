import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CursorList } from '../../components/tables/cursor-list.tsx';
import { Empty, Skeleton } from '../../components/feedback/feedback.tsx';
import { Filters, type FiltersProps } from '../../components/controls/filters.tsx';
import { Card } from '../../components/page.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { RosterFailure } from './roster-failure.tsx';

export interface RosterListProps<Row, Status extends string> {
  /** The plural noun of the rows: "members". */
  noun: string;
  query: UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>;
  filters: FiltersProps<Status>['filters'];
  status: Status | null;
  onStatus: (status: Status | null) => void;
  columns: readonly Column<Row>[];
  /** Shown if the roster is empty. */
  empty: ReactNode;
}

/** A roster list, complete or filtered by status. */
export function RosterList<Row extends { id: string }, Status extends string>({
  noun,
  query,
  filters,
  status,
  onStatus,
  columns,
  empty,
}: RosterListProps<Row, Status>) {
  if (query.error && !query.data)
    return <RosterFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton heights={[34, 48, 48, 48]} label={`Loading ${noun}`} />;
  const rows = query.data.pages.flatMap((page) => page.data);
  const title = noun[0]!.toUpperCase() + noun.slice(1);
  return (
    <div className="stack">
      <Filters
        label={`Filter ${noun}`}
        filters={filters}
        selected={status ? [status] : []}
        onChange={(all) => onStatus(all.at(-1) ?? null)}
      />
      <Card padded={false}>
        {rows.length === 0 ? (
          status === null ? (
            empty
          ) : (
            <Empty title={`No matching ${noun}.`} />
          )
        ) : (
          <CursorList<Row>
            label={title}
            noun={noun}
            rows={rows}
            rowKey={({ id }) => id}
            copy={({ id }) => id}
            hasMore={query.hasNextPage}
            isLoading={query.isFetchingNextPage}
            onMore={() => void query.fetchNextPage()}
            columns={columns}
          />
        )}
      </Card>
    </div>
  );
}
