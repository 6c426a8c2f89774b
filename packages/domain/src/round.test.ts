import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundTo } from './round.ts';

test.each([
  [1.005, 2, 1.01],
  [-1.005, 2, -1.01],
  [1.004999, 2, 1],
  [0.5, 0, 1],
  [-0.5, 0, -1],
  [2.5, 0, 3],
  [8.345, 2, 8.35],
  [1.45, 1, 1.5],
  [10.235, 2, 10.24],
  [5.015, 2, 5.02],
  [0.0005, 3, 0.001],
  [1e-7, 2, 0],
  [123_456_789.005, 2, 123_456_789.01],
  [9_007_199_254_740_991, 0, 9_007_199_254_740_991],
  [1e21, 2, 1e21],
  [37, 1, 37],
])('rounds %d to %d decimals as %d', (value, precision, expected) => {
  expect(roundTo(value, precision)).toBe(expected);
});

test('never returns negative zero', () => {
  expect(Object.is(roundTo(-0.001, 2), 0)).toBe(true);
});

test('returns NaN and infinity unchanged', () => {
  expect(roundTo(Number.NaN, 2)).toBeNaN();
  expect(roundTo(Infinity, 2)).toBe(Infinity);
});

/** Reference implementation with integers: rounds the digits of a number with `decimals` places. */
function roundDigits(digits: bigint, decimals: number, precision: number): number {
  const unit = 10n ** BigInt(decimals - precision);
  const rest = digits % unit;
  const whole = digits / unit + (rest * 2n >= unit ? 1n : 0n);
  return Number(`${whole}e-${precision}`);
}

test('rounds numbers with up to six decimals exactly', () => {
  const digits = fc.bigInt({ min: 0n, max: 999_999_999_999n });
  fc.assert(
    fc.property(digits, fc.nat(3), fc.boolean(), (all, precision, halfway) => {
      const number = halfway ? (all / 10n) * 10n + 5n : all;
      const decimals = halfway ? precision + 1 : 6;
      const value = Number(`${number}e-${decimals}`);
      const expected = roundDigits(number, decimals, precision);
      return (
        roundTo(value, precision) === expected && (value === 0 || roundTo(-value, precision) === 0 - expected)
      );
    }),
    { numRuns: 20_000 },
  );
});
