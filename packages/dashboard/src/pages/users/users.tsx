import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useRefusal } from '../../api/role.ts';
import { usersQuery, type PagePlace } from '../../api/users.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { Curl } from '../../components/overlays/command.tsx';
import { CursorList } from '../../components/tables/cursor-list.tsx';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback/feedback.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { later } from '../../components/overlays/later.ts';
import { columnsOf } from './user-columns.tsx';
import { UserFilters } from './user-filters.tsx';
import './users.css';
import { filterOf, type UsersSearch } from './users-search.ts';

const CreateUserDialog = later(() =>
  import('./create-user-dialog.tsx').then((module) => module.CreateUserDialog),
);

export function UsersPage() {
  const environment = useEnvironment();
  const { q = '', filter: word } = useSearch({ from: '/inside/$environment/users' });
  const filter = filterOf(word);
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const refusal = useRefusal('developer', 'create users');
  const users = useInfiniteQuery({
    ...usersQuery(environment, { search: q, filter }),
    placeholderData: keepPreviousData,
  });
  const { data, error, isPending, hasNextPage, fetchNextPage, fetchPreviousPage } = users;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const columns = useMemo(() => columnsOf(environment), [environment]);
  const counts = data?.pages[0]?.counts ?? null;
  const show = (search: UsersSearch) =>
    void navigate({ to: '/$environment/users', params: { environment }, search, replace: true });
  const create = (
    <Button kind="primary" reason={refusal} onPress={() => setCreating(true)}>
      <Plus size={15} aria-hidden />
      Create user
    </Button>
  );
  const hasNoUsers = counts?.all.value === 0 && q === '' && filter === null;
  return (
    <div className="page">
      <PageHead
        title="Users"
        lead="People whose data you read, listed by your reference."
        actions={
          <>
            <Curl method="GET" path="/v1/users" query={q === '' ? { limit: 100 } : { external_ref: q }} />
            {!hasNoUsers && create}
          </>
        }
      />
      {error && (
        <ErrorBox
          error={error}
          title={data ? 'Could not load more users.' : 'Could not load users.'}
          onRetry={() => void (data ? fetchNextPage() : users.refetch())}
        />
      )}
      {isPending && <Skeleton heights={[34, 420]} label="Loading users" />}
      {data && hasNoUsers && (
        <Card padded={false}>
          <Empty
            title="Your users will appear here."
            request={{ method: 'POST', path: '/v1/users', body: { reference_id: 'customer-1042' } }}
            action={create}
            waiting="Waiting for the first user"
          >
            Create a user for each person whose data you want to read. A user has your reference and a time
            zone. You connect devices afterwards.
          </Empty>
        </Card>
      )}
      {data && !hasNoUsers && (
        <>
          <UserFilters search={q} filter={filter} counts={counts} onChange={show} />
          <Card padded={false}>
            {rows.length === 0 ? (
              <NoMatch search={q} onClear={() => show({})} />
            ) : (
              <CursorList
                // A new search starts at the top.
                key={`${environment} ${q} ${filter ?? ''}`}
                label="Users"
                noun="users"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
                copy={({ id }) => id}
                hasMore={hasNextPage}
                isLoading={users.isFetchingNextPage || users.isFetchingPreviousPage}
                onMore={() => void fetchNextPage()}
                before={{
                  count: (data.pageParams[0] as PagePlace).first,
                  onMore: () => void fetchPreviousPage(),
                }}
              />
            )}
          </Card>
        </>
      )}
      {isCreating && <CreateUserDialog environment={environment} onClose={() => setCreating(false)} />}
    </div>
  );
}

function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <Empty
      title={search === '' ? 'No matching users.' : `No users match “${search}”.`}
      action={<Button onPress={onClear}>Show all users</Button>}
    >
      {search === ''
        ? 'No user has this status right now.'
        : 'Search by the start of a reference or by a full ID.'}
    </Empty>
  );
}
