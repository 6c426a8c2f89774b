import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeyring } from './keyring.ts';
import { createRefreshFamily, deriveRefreshToken, refreshFamilyOf } from './refresh-token.ts';
import { parseSecretToken } from './secret-token.ts';

const first = { version: 1, key: randomBytes(32) };
const second = { version: 2, key: randomBytes(32) };
const keyring = createKeyring([first]);
const rotated = createKeyring([second, first]);
const place = { sessionId: randomUUID(), generation: 1, keyVersion: 1 };

test('derives refresh tokens that identify their family and depend on the key', () => {
  const family = createRefreshFamily();
  const token = deriveRefreshToken(keyring, family, place);
  expect(token).toMatch(/^rt_[0-9A-Za-z]{49}$/);
  expect(refreshFamilyOf(token)).toEqual(family);
  const next = deriveRefreshToken(keyring, family, { ...place, generation: 2 });
  expect(next).not.toBe(token);
  expect(refreshFamilyOf(next)).toEqual(family);
  expect(deriveRefreshToken(rotated, family, place)).toBe(token);
  expect(deriveRefreshToken(rotated, family, { ...place, keyVersion: 2 })).not.toBe(token);
  const halfOf = (text: string) => parseSecretToken('rt_', text)!.subarray(16);
  expect(halfOf(deriveRefreshToken(keyring, createRefreshFamily(), place))).not.toEqual(halfOf(token));
});

test('returns null for the family of an invalid refresh token', () => {
  const token = deriveRefreshToken(keyring, createRefreshFamily(), place);
  const wrong = ['', 'rt_', token.slice(0, -1), `${token}0`, token.replace('rt_', 'ct_')];
  for (const text of wrong) expect(refreshFamilyOf(text)).toBeNull();
});
