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

test('an identity survives sealing, whatever it is', () => {
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

test('a change of any character is noticed, also one that decodes to the same bytes', () => {
  const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=';
  for (let at = 0; at < token.length; at += 1) {
    for (const other of others) {
      if (other === token[at]) continue;
      const edited = token.slice(0, at) + other + token.slice(at + 1);
      expect(() => openSdkToken(keyring, clock, edited)).toThrow(invalid);
    }
  }
});

test('neither more, nor less, nor another alphabet is accepted', () => {
  const wrong = [token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, token.slice(1), 'sdk_', ''];
  for (const text of wrong) expect(() => openSdkToken(keyring, clock, text)).toThrow(invalid);
  fc.assert(
    fc.property(fc.string({ minLength: 94, maxLength: 94 }), (text) => {
      expect(() => openSdkToken(keyring, clock, `sdk_${text}`)).toThrow(invalid);
    }),
  );
});

test('a token ends with its second, and a bad one is bad before it is expired', () => {
  const ended = sealSdkToken(keyring, identity, 1_800_000_000);
  expect(() => openSdkToken(keyring, clock, ended)).toThrow(expired);
  expect(openSdkToken(keyring, { now: () => 1_799_999_999_999 }, ended)).toEqual(identity);
  expect(() => openSdkToken(createKeyring([second]), clock, ended)).toThrow(invalid);
});

test('after a rotation old tokens are good, and can be made again', () => {
  const rotated = createKeyring([second, first]);
  expect(openSdkToken(rotated, clock, token)).toEqual(identity);
  expect(sealSdkToken(rotated, identity, inAnHour)).not.toBe(token);
  expect(sealSdkToken(rotated, identity, inAnHour, 1)).toBe(token);
  expect(() => sealSdkToken(keyring, identity, inAnHour, 2)).toThrow(/lacks version 2/);
});

test('a signature of ours for another purpose is worth nothing', () => {
  const bytes = Buffer.from(token.slice(4), 'base64url');
  const content = bytes.subarray(0, 54);
  const forged = Buffer.concat([content, keyring.sign(content, 'cursor')]).toString('base64url');
  expect(() => openSdkToken(keyring, clock, `sdk_${forged}`)).toThrow(invalid);
});
