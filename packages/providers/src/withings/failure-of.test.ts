import { expect, test } from 'vitest';
import { failureOf } from './failure-of.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

test.each([
  [0, null],
  [100, 'unauthorized'],
  [102, 'unauthorized'],
  [200, 'unauthorized'],
  [401, 'unauthorized'],
  [201, 'refused'],
  [213, 'refused'],
  [293, 'refused'],
  [503, 'refused'],
  [511, 'refused'],
  [214, 'forbidden'],
  [277, 'forbidden'],
  [2553, 'forbidden'],
  [522, 'unavailable'],
  [524, 'unavailable'],
  [2555, 'unavailable'],
  [601, 'limited'],
])('maps status %i in HTTP 200 to %s', (status, kind) => {
  const body = JSON.stringify({ status, body: {}, error: 'token abc' });
  const failure = failureOf({ status: 200, headers: {}, body }, now);
  expect(failure?.kind ?? null).toBe(kind);
  expect(failure?.message ?? '').not.toContain('abc');
  expect(failure?.retryAtMs ?? null).toBe(kind === 'limited' ? now + 60_000 : null);
});

test.each(['', '{"status":0,"bo', '[]', '{"body":{}}', '<html></html>'])(
  'treats a response without a status as a failure: %s',
  (body) => {
    expect(failureOf({ status: 200, headers: {}, body }, now)?.kind).toBe('unavailable');
  },
);

test('handles failures of HTTP itself', () => {
  expect(failureOf({ status: 503, headers: {}, body: '' }, now)?.kind).toBe('unavailable');
});
