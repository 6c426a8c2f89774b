import { Link } from '@tanstack/react-router';
import type { Environment } from '../../api/client/client.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Badge } from '../../components/feedback/badge.tsx';
import { CursorList } from '../../components/tables/cursor-list.tsx';
import { Card } from '../../components/page.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { None, Time } from '../../components/overlays/tip.tsx';
import { plural } from '../../words/time.ts';
import { isRead, describeAction, describeActor, type AuditSearch } from './audit-text.ts';
import { readsOf, type AuditLine } from './audit-visits.ts';

export interface AuditTableProps {
  rows: readonly AuditLine[];
  names: Record<string, string>;
  search: AuditSearch;
  current: string | null;
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
}

export function AuditTable({ rows, names, search, current, ...paging }: AuditTableProps) {
  const environment = useEnvironment();
  const activeFilters = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
  return (
    <Card padded={false}>
      <CursorList<AuditLine>
        label="Audit log"
        noun="rows"
        rows={rows}
        rowKey={({ entries: [entry] }) => entry.id}
        copy={({ entries: [entry] }) => entry.target.id}
        currentKey={current}
        {...paging}
        columns={columnsOf(environment, names, activeFilters)}
      />
    </Card>
  );
}

function columnsOf(
  environment: Environment,
  names: Record<string, string>,
  activeFilters: Record<string, string>,
): readonly Column<AuditLine>[] {
  return [
    {
      key: 'what',
      label: 'Action',
      cell: (line) => {
        const [entry] = line.entries;
        return (
          <span className="audit-what">
            <Link
              to="/$environment/audit"
              params={{ environment }}
              search={{ ...activeFilters, entry: entry.id }}
              resetScroll={false}
            >
              {describeAction(entry.action)}
            </Link>
            {isRead(entry) && (
              <>
                <Badge tone="info">
                  {line.entries.length === 1 ? 'Read' : plural(line.entries.length, 'read')}
                </Badge>
                <small>{describeReads(line)}</small>
              </>
            )}
          </span>
        );
      },
    },
    {
      key: 'who',
      label: 'Actor',
      wideOnly: true,
      cell: ({ entries: [entry] }) => describeActor(entry, names),
    },
    {
      key: 'whom',
      label: 'Target',
      wideOnly: true,
      cell: ({ entries: [entry] }) => <code className="audit-id">{entry.target.id}</code>,
    },
    {
      key: 'from',
      label: 'IP address',
      wideOnly: true,
      cell: ({ entries: [entry] }) =>
        entry.address ? (
          <code>{entry.address}</code>
        ) : (
          <None reason="No address: done by the service, on the command line, or by a person whose address is not recorded" />
        ),
    },
    { key: 'at', label: 'Time', number: true, cell: ({ entries: [entry] }) => <Time at={entry.at} end /> },
  ];
}

const mostNamed = 3;

/** "daily, sleep, scores and 4 more". */
function describeReads(line: AuditLine): string {
  const all = readsOf(line).map(({ what }) => what);
  const named = all.slice(0, mostNamed).join(', ');
  return all.length > mostNamed ? `${named} and ${all.length - mostNamed} more` : named;
}
