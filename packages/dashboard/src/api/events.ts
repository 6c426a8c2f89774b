import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EventRowsWire, EventRowWire } from '@tributary/contract';
import { call, type Environment } from './client.ts';
import { isFailure } from './failure.ts';

export interface EventFilter {
  environment: Environment;
  types: readonly string[];
  userId: string | null;
}

/** The newest events, or with a cursor those before it. */
export const readNewest = (
  { environment, types, userId }: EventFilter,
  { before = null, limit, signal }: { before?: string | null; limit: number; signal?: AbortSignal },
) =>
  call<EventRowsWire>('GET', '/dashboard/api/events', {
    query: { environment, before, limit, type: types.join(',') || null, user_id: userId },
    ...(signal && { signal }),
  });

const pageSize = 100;

/** What happened to a user, newest first, page by page; the first page tells where to follow from. */
export const userEventsQuery = (environment: Environment, userId: string) =>
  infiniteQueryOptions({
    queryKey: ['user', environment, userId, 'events'],
    queryFn: ({ pageParam, signal }) =>
      readNewest({ environment, types: [], userId }, { before: pageParam, limit: pageSize, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ older }) => older,
    staleTime: 0,
  });

/** One event by its id; null when there is none. */
export const eventQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: ['event', environment, id],
    queryFn: ({ signal }) =>
      call<EventRowWire>('GET', `/dashboard/api/events/${encodeURIComponent(id)}`, {
        query: { environment },
        signal,
      }).catch((error: unknown) => {
        if (isFailure(error, 404)) return null;
        throw error;
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
