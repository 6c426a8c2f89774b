import { randomBytes } from 'node:crypto';
import type { Keyring } from './keyring.ts';
import { formatSecretToken, parseSecretToken } from './secret-token.ts';

const familyBytes = 16;

/** Which of a session's refresh tokens: each use gives the next number. */
export interface RefreshTokenPlace {
  sessionId: string;
  generation: number;
  keyVersion: number;
}

/** What all refresh tokens of one exchange have in common: by it the session of a token is found, also when the token was spent long ago. */
export function createRefreshFamily(): Buffer {
  return randomBytes(familyBytes);
}

/**
 * Half family, half derived. Who lost an answer presents the token before and so brings the family along, from which the next token can
 * be made again; the database alone, with hashes of both, gives none.
 */
export function deriveRefreshToken(keyring: Keyring, family: Buffer, place: RefreshTokenPlace): string {
  const content = `${family.toString('hex')}:${place.sessionId}:${place.generation}`;
  const half = keyring.derive(content, 'sdk-refresh', place.keyVersion).subarray(0, 32 - familyBytes);
  return formatSecretToken('rt_', Buffer.concat([family, half]));
}

/** The family of a refresh token, or null when it is none. */
export function refreshFamilyOf(token: string): Buffer | null {
  return parseSecretToken('rt_', token)?.subarray(0, familyBytes) ?? null;
}
