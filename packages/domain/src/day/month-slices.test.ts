import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDay, parseDay } from '../days.ts';
import { monthSlices, slicePrinted } from './month-slices.ts';
import { placeInMonth } from './month.ts';

const day = (text: string) => parseDay(text)!;

test('splits a range into the end of a month, whole months and the start of a month', () => {
  expect(monthSlices(day('2026-01-30'), day('2026-04-02'))).toEqual([
    { month: 672, index: 29, days: 2, isWhole: false },
    { month: 673, index: 0, days: 28, isWhole: true },
    { month: 674, index: 0, days: 31, isWhole: true },
    { month: 675, index: 0, days: 2, isWhole: false },
  ]);
});

test('supports the first and the last supported day', () => {
  expect(monthSlices(day('2200-12-31'), day('2200-12-31'))).toEqual([
    { month: 2771, index: 30, days: 1, isWhole: false },
  ]);
  expect(monthSlices(day('1900-01-01'), day('1900-01-31'))).toEqual([
    { month: -840, index: 0, days: 31, isWhole: true },
  ]);
});

test('returns nulls for a missing month', () => {
  expect(slicePrinted(undefined, { month: 1, index: 5, days: 3, isWhole: false })).toBe('null,null,null');
});

test('returns exactly the days of any range', () => {
  const first = day('2023-12-01');
  const range = fc.tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 400 }));
  // Each day prints its day number.
  const printedMonth = (month: number) => {
    const start = monthStart(month);
    const { daysInMonth } = placeInMonth(start);
    return Array.from({ length: daysInMonth }, (_, at) => start + at).join(',');
  };
  fc.assert(
    fc.property(range, ([offset, length]) => {
      const from = first + offset;
      const to = from + length;
      const printed = monthSlices(from, to).map((slice) => slicePrinted(printedMonth(slice.month), slice));
      const expected = Array.from({ length: length + 1 }, (_, at) => from + at);
      expect(printed.join(',')).toBe(expected.join(','));
    }),
    { numRuns: 500 },
  );
});

function monthStart(month: number): number {
  const year = 1970 + Math.floor(month / 12);
  const text = `${year}-${String((month % 12) + 1).padStart(2, '0')}-01`;
  expect(formatDay(day(text))).toBe(text);
  return day(text);
}
