import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AccessRecordWire } from '@tributary/contract';
import { call, type Environment } from './client/client.ts';

export interface AccessFilter {
  user_id: string | null;
  credential_id: string | null;
  from: string | null;
  to: string | null;
}

interface AccessPage {
  data: AccessRecordWire[];
  next_cursor: string | null;
}

export const accessRecordsQuery = (environment: Environment, filter: AccessFilter) =>
  infiniteQueryOptions({
    queryKey: ['access-records', environment, filter],
    queryFn: ({ pageParam, signal }) =>
      call<AccessPage>('GET', '/v1/access-records', {
        environment,
        query: { ...filter, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
