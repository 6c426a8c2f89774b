import { infiniteQueryOptions } from '@tanstack/react-query';
import type { CreateUserWire, UserDetailWire, UserFilter, UserRowsWire } from '@tributary/contract';
import { call, type Environment } from './client/client.ts';

export interface UserSearch {
  search: string;
  filter: UserFilter | null;
}

const waitingMs = 3_000;
/** Two thousand rows. Pages far from the visible rows are dropped and read again on the way back. */
const mostPages = 20;

/** The position of a page, and how to return to it. */
export interface PagePlace {
  cursor: string | null;
  /** The number of rows before the page. */
  first: number;
  before: PagePlace | null;
}

const start: PagePlace = { cursor: null, first: 0, before: null };

/** The rows of a search, by page. */
export const usersQuery = (environment: Environment, { search, filter }: UserSearch) =>
  infiniteQueryOptions({
    queryKey: ['users', environment, search, filter],
    queryFn: ({ pageParam, signal }) =>
      call<UserRowsWire>('GET', '/dashboard/api/users', {
        query: { environment, search: search || null, filter, cursor: pageParam.cursor, limit: 100 },
        signal,
      }),
    initialPageParam: start,
    getNextPageParam: ({ next_cursor, data }, _pages, place): PagePlace | null =>
      next_cursor === null ? null : { cursor: next_cursor, first: place.first + data.length, before: place },
    getPreviousPageParam: (_page, _pages, place): PagePlace | null => place.before,
    maxPages: mostPages,
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
    // An empty list is polled, because the first user may appear at any time.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.counts.all.value === 0 ? waitingMs : false),
  });

/** Creates a user. Uses the same form of the API as the command shown beside it. */
export async function createUser(environment: Environment, body: CreateUserWire): Promise<UserDetailWire> {
  const { data } = await call<{ data: UserDetailWire }>('POST', '/v1/users', { environment, body });
  return data;
}
