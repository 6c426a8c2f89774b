import { queryOptions } from '@tanstack/react-query';
import type { OverviewWire } from '@tributary/contract';
import { call, type Environment } from './client.ts';

const everyMs = 30_000;
const firstRunMs = 3_000;

/** How an environment is doing; on the first run it is asked often, so that each step turns by itself. */
export const overviewQuery = (environment: Environment) =>
  queryOptions({
    queryKey: ['overview', environment],
    queryFn: ({ signal }) =>
      call<OverviewWire>('GET', '/dashboard/api/overview', { query: { environment }, signal }),
    refetchInterval: ({ state }) => (state.data && !state.data.first_run.has_data ? firstRunMs : everyMs),
  });
