import { useParams } from '@tanstack/react-router';
import type { Environment } from '../api/client/client.ts';

export function isEnvironment(word: string): word is Environment {
  return word === 'live' || word === 'sandbox';
}

/** The environment in the URL, so that a shared link shows the same data. */
export function useEnvironment(): Environment {
  const { environment } = useParams({ strict: false });
  return environment === 'live' ? 'live' : 'sandbox';
}
