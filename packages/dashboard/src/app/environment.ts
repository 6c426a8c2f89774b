import { useParams } from '@tanstack/react-router';
import type { Environment } from '../api/client.ts';

export function isEnvironment(word: string): word is Environment {
  return word === 'live' || word === 'sandbox';
}

/** The environment that the address names: a link shows a colleague the same data. */
export function useEnvironment(): Environment {
  const { environment } = useParams({ strict: false });
  return environment === 'live' ? 'live' : 'sandbox';
}
