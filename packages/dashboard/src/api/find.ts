import { queryOptions } from '@tanstack/react-query';
import type { FoundWire } from '@tributary/contract';
import { call, type Environment } from './client.ts';

/** Whether a text may be an id of ours, and is worth asking about. */
export function looksLikeId(text: string): boolean {
  return /^([a-z]+_[0-9a-z]{20,}|[0-9a-f]{8}-[0-9a-f-]{27})$/i.test(text.trim());
}

/** The page that shows what has this id; it fails with 404 when nothing has. */
export const findQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: ['find', environment, id],
    queryFn: ({ signal }) =>
      call<FoundWire>('GET', '/dashboard/api/find', { query: { environment, id }, signal }),
    enabled: looksLikeId(id),
  });
