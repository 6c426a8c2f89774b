import { queryOptions } from '@tanstack/react-query';
import type { OverviewWire } from '@tributary/contract';
import { call, type Environment } from './client/client.ts';

const everyMs = 30_000;
const firstRunMs = 3_000;

/** The state of an environment. During onboarding it is polled often, so that each step completes without a reload. */
export const overviewQuery = (environment: Environment) =>
  queryOptions({
    queryKey: ['overview', environment],
    queryFn: ({ signal }) =>
      call<OverviewWire>('GET', '/dashboard/api/overview', { query: { environment }, signal }),
    refetchInterval: ({ state }) => (state.data && !state.data.first_run.has_data ? firstRunMs : everyMs),
  });
