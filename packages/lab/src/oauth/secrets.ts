import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that nobody guesses. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Under which a secret is kept. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares in a time that tells nothing of where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));
}
