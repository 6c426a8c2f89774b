import type { Environment } from '../api/client.ts';
import { isEnvironment } from './environment.ts';

const name = 'environment';

/** The environment that was open last in this browser; a first visit begins where nothing can go wrong. */
export function rememberedEnvironment(): Environment {
  try {
    const word = localStorage.getItem(name) ?? '';
    return isEnvironment(word) ? word : 'sandbox';
  } catch {
    return 'sandbox';
  }
}

export function rememberEnvironment(environment: Environment): void {
  try {
    localStorage.setItem(name, environment);
  } catch {
    // Where nothing is kept, the address still says it.
  }
}
