import { randomBytes } from 'node:crypto';
import type { Keyring } from './keyring.ts';
import { formatSecretToken, parseSecretToken } from './secret-token.ts';

const familyBytes = 16;

/** Identifies one refresh token of a session. Every use increments the generation. */
export interface RefreshTokenPlace {
  sessionId: string;
  generation: number;
  keyVersion: number;
}

/** Creates the part that all refresh tokens of one exchange share. It identifies the session even for a token that was used long ago. */
export function createRefreshFamily(): Buffer {
  return randomBytes(familyBytes);
}

/**
 * Half of a token is its family, half is derived. A client that lost a response presents the previous token, which contains the family, so the next
 * token can be derived again. The database stores only hashes of both, so it cannot yield a token.
 */
export function deriveRefreshToken(keyring: Keyring, family: Buffer, place: RefreshTokenPlace): string {
  const content = `${family.toString('hex')}:${place.sessionId}:${place.generation}`;
  const half = keyring.derive(content, 'sdk-refresh', place.keyVersion).subarray(0, 32 - familyBytes);
  return formatSecretToken('rt_', Buffer.concat([family, half]));
}

/** The family of a refresh token, or null if the token is invalid. */
export function refreshFamilyOf(token: string): Buffer | null {
  return parseSecretToken('rt_', token)?.subarray(0, familyBytes) ?? null;
}
