import type { AuditEntryWire } from '@tributary/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { auditQuery } from '../../api/audit.ts';
import { operatorNamesQuery } from '../../api/team.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Curl } from '../../components/overlays/command.tsx';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { WithPanel } from '../../components/panel.tsx';
import { later } from '../../components/overlays/later.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { filterOf, hasText, type AuditSearch } from './audit-text.ts';
import './audit.css';
import { linesOf } from './audit-visits.ts';
import { ExportButton } from './export-button.tsx';

/** Loaded on demand. */
const EntryPanel = later(() => import('./entry-panel.tsx').then((module) => module.EntryPanel));

const noNames: Record<string, string> = {};

export function AuditPage() {
  const environment = useEnvironment();
  const {
    search: searchText = '',
    action = '',
    from = '',
    to = '',
    entry = null,
  } = useSearch({ strict: false });
  const navigate = useNavigate();
  const names = useQuery(operatorNamesQuery).data?.names ?? noNames;
  const search: AuditSearch = { search: searchText, action, from, to };
  const filter = filterOf(search, names);
  const query = useInfiniteQuery({ ...auditQuery(environment, filter), placeholderData: (before) => before });
  const all = query.data?.pages.flatMap((page) => page.data) ?? [];
  const byText = searchText !== '' && filter.actor_id === null && filter.target_id === null;
  const lines = linesOf(byText ? all.filter((one) => hasText(one, searchText)) : all);
  const opened = lines.find(({ entries }) => entries.some(({ id }) => id === entry)) ?? null;
  const show = (part: Partial<AuditSearch & { entry: string }>) => {
    const next = Object.entries({ ...search, entry: entry ?? '', ...part }).filter(
      ([, value]) => value !== '',
    );
    void navigate({
      to: '/$environment/audit',
      params: { environment },
      search: Object.fromEntries(next),
      replace: part.entry === undefined,
      resetScroll: false,
    });
  };
  const [last, setLast] = useState<AuditEntryWire | null>(null);
  const selectedEntry = all.find(({ id }) => id === entry) ?? (last?.id === entry ? last : null);
  if (selectedEntry && selectedEntry !== last) setLast(selectedEntry);
  return (
    <WithPanel
      panel={
        entry !== null && (
          <EntryPanel
            key={entry}
            entry={selectedEntry}
            visit={opened}
            isLoading={query.isPending}
            names={names}
            onClose={() => show({ entry: '' })}
          />
        )
      }
    >
      <div className="page">
        <PageHead
          title="Audit log"
          lead="Every recorded action with its actor, target and IP address. Entries cannot be changed."
          actions={
            <>
              <Curl method="GET" path="/v1/audit" query={{ ...filter }} />
              <ExportButton filter={filter} text={byText ? searchText : ''} names={names} />
            </>
          }
        />
        <AuditFilters search={search} onChange={show} />
        {query.error && (
          <ErrorBox
            error={query.error}
            title="Could not load the audit log."
            onRetry={() => void query.refetch()}
          />
        )}
        {query.isPending && <Skeleton heights={[34, 40, 40, 40, 40, 40]} label="Loading audit log" />}
        {query.data && lines.length === 0 && !query.hasNextPage && (
          <Card>
            <Empty
              title={
                searchText || action || from
                  ? 'No matching entries.'
                  : 'Every recorded action will appear here.'
              }
            >
              Search by ID, colleague or keyword, or remove a filter to see more.
            </Empty>
          </Card>
        )}
        {query.data && (lines.length > 0 || query.hasNextPage) && (
          <AuditTable
            rows={lines}
            names={names}
            search={search}
            current={opened?.entries[0].id ?? null}
            hasMore={query.hasNextPage}
            isLoading={query.isFetchingNextPage}
            onMore={() => void query.fetchNextPage()}
          />
        )}
      </div>
    </WithPanel>
  );
}
