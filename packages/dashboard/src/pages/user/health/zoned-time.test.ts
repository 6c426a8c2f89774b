import { expect, test } from 'vitest';
import { secondsOf } from './zoned-time.ts';

const at = (text: string) => Date.parse(text) / 1_000;

test('converts a local time to a timestamp', () => {
  expect(secondsOf('2026-11-15T22:51:00', 'Europe/Berlin')).toBe(at('2026-11-15T21:51:00Z'));
  expect(secondsOf('2026-07-01T00:00:00', 'America/New_York')).toBe(at('2026-07-01T04:00:00Z'));
  expect(secondsOf('2026-07-01T12:00:00', 'UTC')).toBe(at('2026-07-01T12:00:00Z'));
});

test('handles the hours around a clock change', () => {
  expect(secondsOf('2026-03-29T01:59:59', 'Europe/Berlin')).toBe(at('2026-03-29T00:59:59Z'));
  expect(secondsOf('2026-03-29T03:00:00', 'Europe/Berlin')).toBe(at('2026-03-29T01:00:00Z'));
  expect(secondsOf('2026-10-25T04:00:00', 'Europe/Berlin')).toBe(at('2026-10-25T03:00:00Z'));
});
