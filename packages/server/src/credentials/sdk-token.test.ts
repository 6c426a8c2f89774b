import { scopes } from '@tributary/contract';
import fc from 'fast-check';
import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeyring } from './keyring.ts';
import { openSdkToken, sealSdkToken, type SdkIdentity } from './sdk-token.ts';

const first = { version: 1, key: randomBytes(32) };
const second = { version: 2, key: randomBytes(32) };
const keyring = createKeyring([first]);
const clock = { now: () => 1_800_000_000_000 };
const inAnHour = 1_800_003_600;
const invalid = expect.objectContaining({ code: 'invalid_token' });
const expired = expect.objectContaining({ code: 'token_expired' });

const identity: SdkIdentity = {
  tenant: { accountId: randomUUID(), environment: 'live' },
  userId: randomUUID(),
  sessionId: randomUUID(),
  scopes: ['activity', 'scores'],
};
const token = sealSdkToken(keyring, identity, inAnHour);

test('opens a sealed token to the same identity', () => {
  const anyIdentity: fc.Arbitrary<SdkIdentity> = fc.record({
    tenant: fc.record({ accountId: fc.uuid(), environment: fc.constantFrom('live', 'sandbox') }),
    userId: fc.uuid(),
    sessionId: fc.uuid(),
    scopes: fc.subarray([...scopes]),
  });
  fc.assert(
    fc.property(anyIdentity, (value) => {
      expect(openSdkToken(keyring, clock, sealSdkToken(keyring, value, inAnHour))).toEqual(value);
    }),
  );
});

test('rejects a change of any character, including one that decodes to the same bytes', () => {
  const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=';
  for (let at = 0; at < token.length; at += 1) {
    for (const other of others) {
      if (other === token[at]) continue;
      const edited = token.slice(0, at) + other + token.slice(at + 1);
      expect(() => openSdkToken(keyring, clock, edited)).toThrow(invalid);
    }
  }
});

test('rejects longer and shorter tokens and other alphabets', () => {
  const wrong = [token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, token.slice(1), 'sdk_', ''];
  for (const text of wrong) expect(() => openSdkToken(keyring, clock, text)).toThrow(invalid);
  fc.assert(
    fc.property(fc.string({ minLength: 94, maxLength: 94 }), (text) => {
      expect(() => openSdkToken(keyring, clock, `sdk_${text}`)).toThrow(invalid);
    }),
  );
});

test('expires a token at its second, and checks the signature before the expiration', () => {
  const ended = sealSdkToken(keyring, identity, 1_800_000_000);
  expect(() => openSdkToken(keyring, clock, ended)).toThrow(expired);
  expect(openSdkToken(keyring, { now: () => 1_799_999_999_999 }, ended)).toEqual(identity);
  expect(() => openSdkToken(createKeyring([second]), clock, ended)).toThrow(invalid);
});

test('accepts old tokens after a rotation, and can derive them again', () => {
  const rotated = createKeyring([second, first]);
  expect(openSdkToken(rotated, clock, token)).toEqual(identity);
  expect(sealSdkToken(rotated, identity, inAnHour)).not.toBe(token);
  expect(sealSdkToken(rotated, identity, inAnHour, 1)).toBe(token);
  expect(() => sealSdkToken(keyring, identity, inAnHour, 2)).toThrow(/does not contain version 2/);
});

test('rejects a signature made for another purpose', () => {
  const bytes = Buffer.from(token.slice(4), 'base64url');
  const content = bytes.subarray(0, 54);
  const forged = Buffer.concat([content, keyring.sign(content, 'cursor')]).toString('base64url');
  expect(() => openSdkToken(keyring, clock, `sdk_${forged}`)).toThrow(invalid);
});
