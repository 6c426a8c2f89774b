import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { accessRecordsQuery, type AccessFilter } from '../../api/access-records.ts';
import { operatorNamesQuery } from '../../api/team.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { AccessFilters } from './access-filters.tsx';
import { AccessTable } from './access-table.tsx';
import { filterOf, type AccessSearch } from './access-text.ts';

const noNames: Record<string, string> = {};

/** Who read the data of which user. */
export function AccessPage() {
  const environment = useEnvironment();
  const { search: text = '', from = '', to = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const names = useQuery(operatorNamesQuery).data?.names ?? noNames;
  const search: AccessSearch = { search: text, from, to };
  const filter = filterOf(search, names);
  const show = (part: Partial<AccessSearch>) => {
    const next = Object.entries({ ...search, ...part }).filter(([, value]) => value !== '');
    void navigate({
      to: '/$environment/access',
      params: { environment },
      search: Object.fromEntries(next),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <div className="page">
      <PageHead
        title="Data access"
        lead="Every read of a user's data by an API key, a user token or a colleague, without the data itself."
        actions={filter && <Curl method="GET" path="/v1/access-records" query={{ ...filter }} />}
      />
      <AccessFilters search={search} onChange={show} />
      {filter ? (
        <AccessList filter={filter} names={names} isFiltered={text !== '' || from !== ''} />
      ) : (
        <Card>
          <Empty title="No matching reads.">
            Search by the ID of a user, API key or user token, or by the name of a colleague.
          </Empty>
        </Card>
      )}
    </div>
  );
}

interface AccessListProps {
  filter: AccessFilter;
  names: Record<string, string>;
  isFiltered: boolean;
  isOfUser?: boolean;
}

/** The reads that match a filter. */
export function AccessList({ filter, names, isFiltered, isOfUser = false }: AccessListProps) {
  const environment = useEnvironment();
  const query = useInfiniteQuery({
    ...accessRecordsQuery(environment, filter),
    placeholderData: (before) => before,
  });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      {query.error && (
        <ErrorBox error={query.error} title="Could not load reads." onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton heights={[40, 40, 40, 40, 40]} label="Loading reads" />}
      {query.data && rows.length === 0 && !query.hasNextPage && (
        <Card>
          <Empty title={isFiltered ? 'No matching reads.' : 'Reads of user data will appear here.'}>
            A read appears about a second after it happened.
          </Empty>
        </Card>
      )}
      {query.data && (rows.length > 0 || query.hasNextPage) && (
        <AccessTable
          rows={rows}
          names={names}
          isOfUser={isOfUser}
          hasMore={query.hasNextPage}
          isLoading={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </>
  );
}
