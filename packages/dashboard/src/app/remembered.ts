import type { Environment } from '../api/client/client.ts';
import { isEnvironment } from './environment.ts';

const name = 'environment';

/** The environment that was last open in this browser. A first visit starts in the sandbox, where nothing can break. */
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
    // Without storage, the URL still contains the environment.
  }
}
