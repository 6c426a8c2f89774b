import { queryOptions } from '@tanstack/react-query';
import type { SignedInWire } from '@tributary/contract';
import { call } from './client.ts';
import { isSignedOut } from './failure.ts';

/** Who works here; it fails with 401 when nobody does. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call<SignedInWire>('GET', '/dashboard/api/session', { signal }),
  staleTime: 60_000,
  retry: (count, error) => count < 2 && !isSignedOut(error),
});
