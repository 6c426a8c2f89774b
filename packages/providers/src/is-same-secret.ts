import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time, so that timing does not reveal where the values differ. Their lengths are not secret. */
export function isSameSecret(one: string | Buffer, other: string | Buffer): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
