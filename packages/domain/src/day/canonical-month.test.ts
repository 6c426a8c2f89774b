import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { formatDay, parseDay } from '../days.ts';
import {
  decodeMonth,
  emptyMonth,
  encodeMonth,
  printMonth,
  visitMonth,
  type CanonicalMonth,
  type CanonicalValue,
} from './canonical-month.ts';
import { firstDayOf, placeInMonth } from './month.ts';

const value: fc.Arbitrary<CanonicalValue> = fc.record({
  micros: fc.integer({ min: -1e9, max: 1e15 }),
  source: fc.integer({ min: 0, max: 300 }),
  contributors: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 3 }),
});
const anyMonth: fc.Arbitrary<CanonicalMonth> = fc
  .integer({ min: 28, max: 31 })
  .chain((length) => fc.array(fc.option(value), { minLength: length, maxLength: length }));

test('encodes and decodes a month without loss', () => {
  fc.assert(
    fc.property(anyMonth, (days) => {
      expect(decodeMonth(encodeMonth(days))).toEqual(days);
    }),
  );
});

test('visits each value with its index and source', () => {
  fc.assert(
    fc.property(anyMonth, (days) => {
      const seen: [number, number, number][] = [];
      visitMonth(encodeMonth(days), (...value) => seen.push(value));
      expect(seen).toEqual(days.flatMap((one, at) => (one ? [[at, one.micros, one.source]] : [])));
    }),
  );
  expect(() => visitMonth(Uint8Array.of(7, 31), () => {})).toThrow('unsupported month version 7');
});

test('prints values at the precision of the catalog', () => {
  const month = emptyMonth(28);
  month[0] = { micros: 72_381_251, source: 1, contributors: [] };
  month[2] = { micros: 80_500_000, source: 1, contributors: [] };
  const nulls = Array.from({ length: 25 }, () => 'null').join(',');
  expect(printMonth(month, findMetric('weight')!)).toBe(`72.38,null,80.5,${nulls}`);
  expect(printMonth(month, findMetric('steps')!)).toBe(`72,null,81,${nulls}`);
});

test('locates a day in its month', () => {
  expect(placeInMonth(parseDay('1970-01-01')!)).toEqual({ month: 0, index: 0, daysInMonth: 31 });
  expect(placeInMonth(parseDay('2024-02-29')!)).toEqual({ month: 649, index: 28, daysInMonth: 29 });
  expect(placeInMonth(parseDay('2026-12-31')!)).toEqual({ month: 683, index: 30, daysInMonth: 31 });
  expect(formatDay(firstDayOf(683))).toBe('2026-12-01');
  expect(formatDay(firstDayOf(-1))).toBe('1969-12-01');
});
