import { queryOptions } from '@tanstack/react-query';
import type { ProviderRowsWire } from '@tributary/contract';
import { call, type Environment } from './client/client.ts';

export const providersQuery = (environment: Environment) =>
  queryOptions({
    queryKey: ['provider-rows', environment],
    queryFn: ({ signal }) =>
      call<ProviderRowsWire>('GET', '/dashboard/api/providers', { query: { environment }, signal }),
    refetchInterval: 60_000,
  });

export interface AppInput {
  client_id: string;
  client_secret: string;
  settings?: Record<string, string>;
  /** Overrides the check that users have connected with another client id. */
  force?: boolean;
}

export const setProviderApp = (provider: string, body: AppInput) =>
  call('PUT', `/dashboard/api/providers/${encodeURIComponent(provider)}`, { body });

export const removeProviderApp = (provider: string, force: boolean) =>
  call('DELETE', `/dashboard/api/providers/${encodeURIComponent(provider)}`, {
    query: { force: force || null },
  });
