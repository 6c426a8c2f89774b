import type { Keyring } from './keyring.ts';
import { formatSecretToken } from './secret-token.ts';

/** Which of a session's client tokens: a new one has the next number. */
export interface ClientTokenPlace {
  sessionId: string;
  generation: number;
  keyVersion: number;
}

/** The client token of a session. It is made again when it must be shown again, so that only its hash is stored. */
export function deriveClientToken(keyring: Keyring, place: ClientTokenPlace): string {
  const secret = keyring.derive(`${place.sessionId}:${place.generation}`, 'sdk-client', place.keyVersion);
  return formatSecretToken('ct_', secret);
}
