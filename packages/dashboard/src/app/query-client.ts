import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure, isSignedOut } from '../api/client/failure.ts';
import { sessionQuery } from '../api/session.ts';

/** Creates the query cache. `onSignedOut` runs when a request finds that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const check = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      // The route guard handles a missing session itself.
      onError: (error, query) => query.queryKey[0] !== sessionQuery.queryKey[0] && check(error),
    }),
    mutationCache: new MutationCache({ onError: check }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Requests that the server rejected would be rejected again.
        retry: (count, error) =>
          count < 2 && !(error instanceof ApiFailure && error.status >= 400 && error.status < 500),
      },
    },
  });
}
