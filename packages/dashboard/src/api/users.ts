import { infiniteQueryOptions } from '@tanstack/react-query';
import type { CreateUserWire, UserDetailWire, UserFilter, UserRowsWire } from '@tributary/contract';
import { call, type Environment } from './client.ts';

export interface UserSearch {
  search: string;
  filter: UserFilter | null;
}

const waitingMs = 3_000;
/** Two thousand rows; those far from what is seen are let go, and read again by who comes back to them. */
const mostPages = 20;

/** Where a page begins, and the way back. */
export interface PagePlace {
  cursor: string | null;
  /** How many rows there are before it. */
  first: number;
  before: PagePlace | null;
}

const start: PagePlace = { cursor: null, first: 0, before: null };

/** The rows of a search, page after page. */
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
    // Where there is nobody yet, somebody may come at any moment.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.counts.all.value === 0 ? waitingMs : false),
  });

/** In the form that its fields choose, as in the command beside it. */
export async function createUser(environment: Environment, body: CreateUserWire): Promise<UserDetailWire> {
  const { data } = await call<{ data: UserDetailWire }>('POST', '/v1/users', { environment, body });
  return data;
}
