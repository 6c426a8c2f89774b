import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** An unguessable secret. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The digest under which a secret is stored. */
export function digestOf(secret: string | Buffer): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares in constant time, so that timing does not reveal where the values differ. */
export function isSameSecret(one: string | Buffer, other: string | Buffer): boolean {
  return timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));
}
