import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tenant } from '../store/database/tenant.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { createKeyring } from './keyring.ts';

const keyring = createKeyring([{ version: 1, key: randomBytes(32) }]);
const tenant: Tenant = { accountId: '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f', environment: 'live' };
const refused = expect.objectContaining({ code: 'invalid_cursor' });

test('opens a sealed cursor to the same position', () => {
  const place = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)));
  fc.assert(
    fc.property(place, (value) => {
      expect(openCursor(keyring, 'users', tenant, sealCursor(keyring, 'users', tenant, value))).toEqual(
        value,
      );
    }),
  );
});

test('rejects a cursor of another list, account or environment', () => {
  const cursor = sealCursor(keyring, 'users', tenant, ['x']);
  expect(() => openCursor(keyring, 'sleep', tenant, cursor)).toThrow(refused);
  expect(() => openCursor(keyring, 'users', { ...tenant, environment: 'sandbox' }, cursor)).toThrow(refused);
  expect(() => openCursor(keyring, 'users', { ...tenant, accountId: 'other' }, cursor)).toThrow(refused);
});

test('rejects an edited cursor', () => {
  const cursor = sealCursor(keyring, 'users', tenant, ['x', 50]);
  for (let at = 0; at < cursor.length; at += 1) {
    const edited = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    expect(() => openCursor(keyring, 'users', tenant, edited)).toThrow(refused);
  }
  for (const text of ['', 'x', `${cursor}=`, ` ${cursor}`, '💧'.repeat(20)]) {
    expect(() => openCursor(keyring, 'users', tenant, text)).toThrow(refused);
  }
});
