import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure, isSignedOut } from '../api/failure.ts';
import { sessionQuery } from '../api/session.ts';

/** Keeps what was read. `onSignedOut` is called when a call finds that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const check = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      // Whether there is a session at all is asked at the door, which knows the way by itself.
      onError: (error, query) => query.queryKey[0] !== sessionQuery.queryKey[0] && check(error),
    }),
    mutationCache: new MutationCache({ onError: check }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // What the server refuses it will refuse again.
        retry: (count, error) =>
          count < 2 && !(error instanceof ApiFailure && error.status >= 400 && error.status < 500),
      },
    },
  });
}
