import { queryOptions } from '@tanstack/react-query';
import type { KeyRowWire } from '@tributary/contract';
import { call, type Environment } from './client/client.ts';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => call<{ data: KeyRowWire[] }>('GET', '/dashboard/api/keys', { signal }),
});

/** Creates a key and revokes the active one of that environment. */
export const createKey = (environment: Environment) =>
  call<{ key: string; data: KeyRowWire }>('POST', '/dashboard/api/keys', { body: { environment } });

export const revokeKey = (id: string) => call('DELETE', `/dashboard/api/keys/${encodeURIComponent(id)}`);
