import type { KeyRowWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { shortKey, timeLeft } from './key-text.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const key = {
  prefix: 'sk_live_',
  last_four: 'k9x2',
  created_at: new Date(start).toISOString(),
  expires_at: new Date(start + 100 * day).toISOString(),
} as KeyRowWire;

test('a key is identified by its beginning and end', () => {
  expect(shortKey(key)).toBe('sk_live_…k9x2');
});

test('counts partial days as remaining and warns in the last two weeks', () => {
  expect(timeLeft(key, start + 50 * day)).toEqual({ days: 50, share: 0.5, isSoon: false });
  expect(timeLeft(key, start + 86 * day)).toMatchObject({ days: 14, isSoon: true });
  expect(timeLeft(key, start + 99.5 * day)).toMatchObject({ days: 1 });
  expect(timeLeft(key, start + 500 * day)).toEqual({ days: 0, share: 0, isSoon: true });
});
