import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deriveClientToken } from './client-token.ts';
import { createKeyring } from './keyring.ts';
import { isSecretToken } from './secret-token.ts';

const first = { version: 1, key: randomBytes(32) };
const second = { version: 2, key: randomBytes(32) };
const keyring = createKeyring([first]);
const rotated = createKeyring([second, first]);
const place = { sessionId: randomUUID(), generation: 1, keyVersion: 1 };

test('derives the same client token after a key rotation, and only with the right key', () => {
  const token = deriveClientToken(keyring, place);
  expect(token).toMatch(/^ct_[0-9A-Za-z]{49}$/);
  expect(isSecretToken('ct_', token)).toBe(true);
  expect(deriveClientToken(rotated, place)).toBe(token);
  const stranger = createKeyring([{ version: 1, key: randomBytes(32) }]);
  const others = [
    deriveClientToken(keyring, { ...place, generation: 2 }),
    deriveClientToken(keyring, { ...place, sessionId: randomUUID() }),
    deriveClientToken(rotated, { ...place, keyVersion: 2 }),
    deriveClientToken(stranger, place),
  ];
  expect(new Set([token, ...others]).size).toBe(5);
});
