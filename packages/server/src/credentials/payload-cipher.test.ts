import { createSecretKey, randomBytes } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decryptPayload, encryptPayload, keyPlaceOf } from './payload-cipher.ts';

const key = createSecretKey(randomBytes(32));
const plain = zstdCompressSync('{"records": []}');

test.each(['database', 'key_store'] as const)('encrypts with a key of the %s and decrypts', (place) => {
  const stored = encryptPayload({ key, place }, plain, 'row');
  expect(keyPlaceOf(stored)).toBe(place);
  expect(stored.includes(plain)).toBe(false);
  expect(stored).toHaveLength(plain.length + 29);
  expect(decryptPayload(key, stored, 'row')).toEqual(plain);
  expect(encryptPayload({ key, place }, plain, 'row')).not.toEqual(stored);
});

test('recognizes payloads that are not encrypted', () => {
  expect(keyPlaceOf(plain)).toBeNull();
  expect(keyPlaceOf(Buffer.from('{}'))).toBeNull();
  expect(keyPlaceOf(Buffer.alloc(0))).toBeNull();
});

test('rejects another key, another row, and any changed byte', () => {
  const stored = encryptPayload({ key, place: 'database' }, plain, 'row');
  expect(() => decryptPayload(createSecretKey(randomBytes(32)), stored, 'row')).toThrow();
  expect(() => decryptPayload(key, stored, 'other row')).toThrow();
  for (let at = 1; at < stored.length; at += 1) {
    const changed = Buffer.from(stored);
    changed[at]! ^= 1;
    expect(() => decryptPayload(key, changed, 'row')).toThrow();
  }
  expect(() => decryptPayload(key, stored.subarray(0, 20), 'row')).toThrow();
});
