import { createHash } from 'node:crypto';

/** Derives an ID from content: the same content of the same owner has the same ID. A UUID version 8. */
export function v8FromHash(owner: string, content: Buffer): string {
  const bytes = createHash('sha256').update(owner).update(content).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
