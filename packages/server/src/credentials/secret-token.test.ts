import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createSecretToken,
  formatSecretToken,
  hashSecret,
  hintOf,
  isSecretToken,
  parseSecretToken,
} from './secret-token.ts';

const token = createSecretToken('sk_live_');

test('creates a secret from a prefix, 43 characters and a 6-character checksum', () => {
  expect(token).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
  expect(isSecretToken('sk_live_', token)).toBe(true);
  expect(createSecretToken('mt_')).toMatch(/^mt_[0-9A-Za-z]{49}$/);
});

test('detects a change of any single character without a lookup', () => {
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'x' ? 'y' : 'x';
    expect(isSecretToken('sk_live_', token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
  }
});

test('rejects another prefix and longer or shorter tokens', () => {
  expect(isSecretToken('sk_sandbox_', token)).toBe(false);
  expect(isSecretToken('sk_sandbox_', token.replace('sk_live_', 'sk_sandbox_'))).toBe(false);
  expect(isSecretToken('sk_live_', token.slice(0, -1))).toBe(false);
  expect(isSecretToken('sk_live_', `${token}0`)).toBe(false);
});

test('creates distinct secrets, with hints that do not reveal them', () => {
  expect(new Set(Array.from({ length: 1000 }, () => createSecretToken('sk_live_'))).size).toBe(1000);
  expect(hashSecret(token)).toHaveLength(32);
  expect(hintOf('sk_live_', token)).toHaveLength('sk_live_…'.length + 4);
});

test('formats and parses 32 bytes without loss, including leading zeros', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes, (secret) => {
      expect(parseSecretToken('rt_', formatSecretToken('rt_', secret))).toEqual(secret);
    }),
    { examples: [[Buffer.alloc(32)], [Buffer.alloc(32, 255)], [Buffer.alloc(32, 1).fill(0, 0, 31)]] },
  );
});

test('returns null for tokens of another kind', () => {
  expect(parseSecretToken('sk_live_', token)).toHaveLength(32);
  expect(parseSecretToken('rt_', token)).toBeNull();
  expect(parseSecretToken('sk_live_', token.slice(0, -1))).toBeNull();
});
