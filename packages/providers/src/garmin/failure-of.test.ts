import { expect, test } from 'vitest';
import { failureOf } from './failure-of.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const kindOf = (status: number, body = '') => failureOf({ status, headers: {}, body }, now)?.kind ?? null;

test.each([
  [200, '', null],
  [202, '', null],
  [204, '', null],
  [409, '{"errorMessage":"asked before"}', null],
  [400, '{"error":"invalid_grant"}', 'consent_ended'],
  [400, '{"error":"invalid_request"}', 'refused'],
  [401, '{"error":"invalid_client"}', 'refused'],
  [401, '{"error":"invalid_token"}', 'unauthorized'],
  [401, '{"errorMessage":"revoked"}', 'unauthorized'],
  [400, '{"errorMessage":"InvalidPullTokenException"}', 'refused'],
  [403, '{"errorMessage":"no permission"}', 'forbidden'],
  [500, '{"error":"invalid_grant"}', 'unavailable'],
  [502, '<html>', 'unavailable'],
])('%i %s', (status, body, kind) => {
  expect(kindOf(status, body)).toBe(kind);
});

test('reads the retry time of a 429 from the response, or defaults to one minute', () => {
  const limited = (headers: Record<string, string>) => failureOf({ status: 429, headers, body: '' }, now);
  expect(limited({})).toMatchObject({ kind: 'limited', retryAtMs: now + 60_000 });
  expect(limited({ 'retry-after': '300' })).toMatchObject({ kind: 'limited', retryAtMs: now + 300_000 });
});
