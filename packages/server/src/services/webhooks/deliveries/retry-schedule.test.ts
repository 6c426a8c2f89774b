import { describe, expect, test } from 'vitest';
import { readRetryAfter, waitAfterFailure } from './retry-schedule.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('delays between attempts', () => {
  test('allow ten attempts over 75 hours and 35 minutes', () => {
    const waits = Array.from({ length: 10 }, (_, at) => waitAfterFailure(at + 1, null, 0.5));
    const expected = [5_000, 5 * minute, 30 * minute, 2, 5, 10, 14, 20, 24];
    expect(waits).toEqual([...expected.map((wait) => (wait < 1_000 ? wait * hour : wait)), null]);
    const total = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0);
    expect(total).toBe(75 * hour + 35 * minute + 5_000);
  });

  test('vary by up to a tenth', () => {
    expect(waitAfterFailure(2, null, 0)).toBe(4.5 * minute);
    expect(waitAfterFailure(2, null, 1)).toBe(5.5 * minute);
  });

  test('honor a longer delay requested by the endpoint, up to a day', () => {
    expect(waitAfterFailure(1, 90_000, 0.5)).toBe(90_000);
    expect(waitAfterFailure(2, 90_000, 0.5)).toBe(5 * minute);
    expect(waitAfterFailure(1, 400 * hour, 0.5)).toBe(24 * hour);
    expect(waitAfterFailure(10, 90_000, 0.5)).toBeNull();
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-02T07:00:00Z');
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Mon, 02 Mar 2026 07:01:00 GMT', minute],
    ['Mon, 02 Mar 2026 06:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [undefined, null],
    ['99999999999', null],
  ])('parses %s', (header, expected) => expect(readRetryAfter(header, now)).toBe(expected));
});
