import { expect, test } from 'vitest';
import { countUpTo, duration, plural, relativeTime, shortDay, weekday } from './time.ts';

const now = new Date('2026-11-13T22:41:07Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

test.each([
  [10, 'just now'],
  [-10, 'in a moment'],
  [60, '1 min ago'],
  [59 * 60, '59 min ago'],
  [5 * 3_600, '5h ago'],
  [86_400, '1 day ago'],
  [-9 * 86_400, 'in 9 days'],
  [60 * 86_400, 'Sep 14'],
  [400 * 86_400, 'Oct 9, 2025'],
])('formats a time %s seconds ago as %s', (seconds, expected) => {
  expect(relativeTime(before(seconds), now)).toBe(expected);
});

test('formats a date in the time zone where it happened', () => {
  expect(shortDay('2026-11-13T23:30:00Z', { now, timeZone: 'Europe/Berlin' })).toBe('Nov 14');
  expect(weekday('2026-11-13')).toBe('Fri, Nov 13');
});

test('formats durations as hours and minutes', () => {
  expect([42, 60, 366, 59.7].map(duration)).toEqual(['42 min', '1h 00m', '6h 06m', '1h 00m']);
});

test('uses the singular for one', () => {
  expect([plural(1, 'day'), plural(1_200, 'day')]).toEqual(['1 day', '1,200 days']);
});

test('marks an incomplete count', () => {
  const counts = [
    { value: 10_000, more: false },
    { value: 10_000, more: true },
  ];
  expect(counts.map(countUpTo)).toEqual(['10,000', '10,000+']);
});
