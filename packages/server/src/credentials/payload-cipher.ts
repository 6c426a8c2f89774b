import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

/** Where the key of a payload is: in the main database, or in a separate key store. */
export type KeyPlace = 'database' | 'key_store';

/** The first byte of an encrypted payload. Other payloads are not encrypted: they are compressed and start with 0x28. */
const markers: Readonly<Record<KeyPlace, number>> = { database: 0xe1, key_store: 0xe2 };
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + nonceBytes + tagBytes;

/** Where the key of a stored payload is, or null if the payload is not encrypted. */
export function keyPlaceOf(stored: Uint8Array): KeyPlace | null {
  if (stored[0] === markers.database) return 'database';
  return stored[0] === markers.key_store ? 'key_store' : null;
}

/** AES-256-GCM: marker, nonce, tag, ciphertext. `boundTo` names the row, so a payload copied to another row does not decrypt there. */
export function encryptPayload(
  { key, place }: { key: KeyObject; place: KeyPlace },
  plain: Uint8Array,
  boundTo: string,
): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  const body = [cipher.update(plain), cipher.final()];
  return Buffer.concat([Buffer.of(markers[place]), nonce, cipher.getAuthTag(), ...body]);
}

/** Throws if the payload was changed, or encrypted with another key or for another row. */
export function decryptPayload(key: KeyObject, stored: Buffer, boundTo: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(1, 1 + nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(stored.subarray(1 + nonceBytes, headerBytes));
  return Buffer.concat([decipher.update(stored.subarray(headerBytes)), decipher.final()]);
}
