import { expect, test } from 'vitest';
import { createSecretToken, hashSecret, hintOf, isSecretToken } from './secret-token.ts';

const token = createSecretToken('sk_live_');

test('a secret has its prefix, 43 characters and a checksum of 6', () => {
  expect(token).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
  expect(isSecretToken('sk_live_', token)).toBe(true);
  expect(createSecretToken('mt_')).toMatch(/^mt_[0-9A-Za-z]{49}$/);
});

test('a change of any single character is noticed without a look-up', () => {
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'x' ? 'y' : 'x';
    expect(isSecretToken('sk_live_', token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
  }
});

test('neither another prefix, nor more, nor less is accepted', () => {
  expect(isSecretToken('sk_sandbox_', token)).toBe(false);
  expect(isSecretToken('sk_sandbox_', token.replace('sk_live_', 'sk_sandbox_'))).toBe(false);
  expect(isSecretToken('sk_live_', token.slice(0, -1))).toBe(false);
  expect(isSecretToken('sk_live_', `${token}0`)).toBe(false);
});

test('secrets differ, and their hints do not give them away', () => {
  expect(new Set(Array.from({ length: 1000 }, () => createSecretToken('sk_live_'))).size).toBe(1000);
  expect(hashSecret(token)).toHaveLength(32);
  expect(hintOf('sk_live_', token)).toHaveLength('sk_live_…'.length + 4);
});
