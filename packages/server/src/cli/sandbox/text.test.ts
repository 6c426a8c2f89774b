import { expect, test } from 'vitest';
import {
  clock,
  countOf,
  harmless,
  hours,
  longDate,
  percent,
  shortDate,
  signed,
  tenths,
  whole,
} from './text.ts';

const day = Date.parse('2026-11-09') / 86_400_000;

test('formats dates and times', () => {
  expect(shortDate(day)).toBe('Mon Nov  9');
  expect(shortDate(day + 6)).toBe('Sun Nov 15');
  expect(longDate(day)).toBe('Monday, November 9, 2026');
  expect(clock(7 * 60 + 5.9)).toBe('07:05');
  expect(hours(419.6)).toBe('7h00');
});

test('formats numbers and missing values', () => {
  expect([whole(12_345.4), tenths(70), percent(91.5), signed(2), signed(-0.4)]).toEqual([
    '12,345',
    '70.0',
    '92%',
    '+2.0',
    '-0.4',
  ]);
  expect([whole(null), tenths(null), percent(null), hours(null)]).toEqual(['·', '·', '·', '·']);
  expect([countOf(1, 'day'), countOf(0, 'day')]).toEqual(['1 day', '0 days']);
});

test('strips terminal control characters from a reference', () => {
  expect(harmless('\u001B[31mred\nline\u202E')).toBe('?[31mred?line?');
});
