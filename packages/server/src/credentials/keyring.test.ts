import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeyring } from './keyring.ts';

const first = { version: 1, key: randomBytes(32) };
const second = { version: 2, key: randomBytes(32) };
const secret = Buffer.from('a secret');

test('decrypts and verifies values of the old key after a rotation', () => {
  const before = createKeyring([first]);
  const after = createKeyring([second, first]);
  expect(after.decrypt(before.encrypt(secret, 'row-1'), 'row-1')).toEqual(secret);
  expect(after.verify('text', 'cursor', before.sign('text', 'cursor'))).toBe(true);
  expect(before.verify('text', 'cursor', after.sign('text', 'cursor'))).toBe(false);
});

test('does not decrypt a value in another row, after a change, or without its key', () => {
  const keyring = createKeyring([first]);
  const sealed = keyring.encrypt(secret, 'row-1');
  expect(() => keyring.decrypt(sealed, 'row-2')).toThrow();
  for (let at = 2; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(() => keyring.decrypt(changed, 'row-1')).toThrow();
  }
  expect(() => createKeyring([second]).decrypt(sealed, 'row-1')).toThrow(/does not contain version 1/);
});

test('accepts a signature only for its text and purpose', () => {
  const keyring = createKeyring([first]);
  const signature = keyring.sign('text', 'cursor');
  expect(keyring.verify('text', 'cursor', signature)).toBe(true);
  expect(keyring.verify('texts', 'cursor', signature)).toBe(false);
  expect(keyring.verify('text', 'other', signature)).toBe(false);
  expect(keyring.verify('text', 'cursor', signature.subarray(1))).toBe(false);
});

test('derives and signs the same bytes again with the same key version', () => {
  const before = createKeyring([first]);
  const after = createKeyring([second, first]);
  expect([before.newestVersion, after.newestVersion]).toEqual([1, 2]);
  const secret = before.derive('text', 'purpose', 1);
  expect(secret).toHaveLength(32);
  expect(after.derive('text', 'purpose', 1)).toEqual(secret);
  expect(after.derive(Buffer.from('text'), 'purpose', 1)).toEqual(secret);
  const others = [
    after.derive('text', 'purpose', 2),
    after.derive('texts', 'purpose', 1),
    after.derive('text', 'x', 1),
  ];
  for (const other of others) expect(other).not.toEqual(secret);
  expect(after.sign('text', 'cursor', 1)).toEqual(before.sign('text', 'cursor'));
  expect(() => before.derive('text', 'purpose', 2)).toThrow(/does not contain version 2/);
});
