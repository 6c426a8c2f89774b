import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { clockTime } from './clock-time.ts';

const at = (instant: string, timezone: string) => clockTime(Date.parse(instant), timezone);

test('returns local time in whole seconds without an offset', () => {
  expect(at('2026-07-01T22:15:30.999Z', 'Europe/Berlin')).toBe('2026-07-02T00:15:30');
  expect(at('2026-01-01T00:00:00Z', 'America/Los_Angeles')).toBe('2025-12-31T16:00:00');
  expect(at('2026-01-01T00:00:00Z', 'Asia/Kathmandu')).toBe('2026-01-01T05:45:00');
});

test('skips an hour in spring and repeats one in fall', () => {
  expect(at('2026-03-29T00:59:59Z', 'Europe/Berlin')).toBe('2026-03-29T01:59:59');
  expect(at('2026-03-29T01:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T03:00:00');
  expect(at('2026-10-25T00:30:00Z', 'Europe/Berlin')).toBe('2026-10-25T02:30:00');
  expect(at('2026-10-25T01:30:00Z', 'Europe/Berlin')).toBe('2026-10-25T02:30:00');
});

test('gives the same result on the fast path as the calendar', () => {
  const zones = [
    'Europe/Berlin',
    'America/Los_Angeles',
    'Pacific/Auckland',
    'Pacific/Chatham',
    'Australia/Lord_Howe',
    'America/Sao_Paulo',
    'Asia/Beirut',
    'Pacific/Apia',
    'UTC',
  ];
  const instants = fc.integer({ min: Date.UTC(2005, 0), max: Date.UTC(2030, 0) });
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (timezone, instantMs) => {
      const local = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone);
      const shown = local.toPlainDateTime().toString({ smallestUnit: 'second', roundingMode: 'floor' });
      expect(clockTime(instantMs, timezone)).toBe(shown);
    }),
    { numRuns: 3000 },
  );
});
