import type { Keyring } from './keyring.ts';
import { formatSecretToken } from './secret-token.ts';

/** Identifies one client token of a session. Every new token increments the generation. */
export interface ClientTokenPlace {
  sessionId: string;
  generation: number;
  keyVersion: number;
}

/** Derives a session's client token. The token can be derived again to show it again, so only its hash is stored. */
export function deriveClientToken(keyring: Keyring, place: ClientTokenPlace): string {
  const secret = keyring.derive(`${place.sessionId}:${place.generation}`, 'sdk-client', place.keyVersion);
  return formatSecretToken('ct_', secret);
}
