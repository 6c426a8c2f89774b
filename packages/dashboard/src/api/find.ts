import { queryOptions } from '@tanstack/react-query';
import type { IdMatchWire } from '@tributary/contract';
import { call, type Environment } from './client/client.ts';

/** Returns whether a text may be one of our ids and is worth a request. */
export function isLikelyId(text: string): boolean {
  return /^([a-z]+_[0-9a-z]{20,}|[0-9a-f]{8}-[0-9a-f-]{27})$/i.test(text.trim());
}

/** Finds the page for an id. Fails with 404 if nothing has this id. */
export const findQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: ['find', environment, id],
    queryFn: ({ signal }) =>
      call<IdMatchWire>('GET', '/dashboard/api/find', { query: { environment, id }, signal }),
    enabled: isLikelyId(id),
  });
