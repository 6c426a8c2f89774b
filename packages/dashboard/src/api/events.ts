import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EventRowsWire, EventRowWire } from '@tributary/contract';
import { call, type Environment } from './client/client.ts';
import { isFailure } from './client/failure.ts';

export interface EventFilter {
  environment: Environment;
  types: readonly string[];
  userId: string | null;
}

/** Reads the newest events, or those before a cursor. */
export const readNewest = (
  { environment, types, userId }: EventFilter,
  { before = null, limit, signal }: { before?: string | null; limit: number; signal?: AbortSignal },
) =>
  call<EventRowsWire>('GET', '/dashboard/api/events', {
    query: { environment, before, limit, type: types.join(',') || null, user_id: userId },
    ...(signal && { signal }),
  });

const pageSize = 100;

/** Events of a user, newest first, by page. The first page contains the cursor to follow from. */
export const userEventsQuery = (environment: Environment, userId: string) =>
  infiniteQueryOptions({
    queryKey: ['user', environment, userId, 'events'],
    queryFn: ({ pageParam, signal }) =>
      readNewest({ environment, types: [], userId }, { before: pageParam, limit: pageSize, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ older }) => older,
    staleTime: 0,
  });

/** One event by its id, or null if it does not exist. */
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
