import { queryOptions } from '@tanstack/react-query';
import type { SignedInWire } from '@tributary/contract';
import { call } from './client/client.ts';
import { isSignedOut } from './client/failure.ts';

/** The signed-in dashboard user. Fails with 401 if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call<SignedInWire>('GET', '/dashboard/api/session', { signal }),
  staleTime: 60_000,
  retry: (count, error) => count < 2 && !isSignedOut(error),
});
