import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure, isSignedOut, needsAuthenticator } from '../api/client/failure.ts';
import { sessionQuery } from '../api/session.ts';

export interface SessionEvents {
  /** Runs when a request finds that the session has ended. */
  onSignedOut: (error: unknown) => void;
  /** Runs when a request finds that the account requires an authenticator. */
  onEnrollment: () => void;
}

/** Creates the query cache. */
export function createQueryClient({ onSignedOut, onEnrollment }: SessionEvents): QueryClient {
  const check = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut(error);
    else if (needsAuthenticator(error)) onEnrollment();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      // The route guard handles a missing session itself. A session that was there before has ended.
      onError: (error, query) =>
        (query.queryKey[0] !== sessionQuery.queryKey[0] || query.state.data !== undefined) && check(error),
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
