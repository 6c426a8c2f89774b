import { describe, expect, test } from 'vitest';
import { estimateMedian, formatEstimate, medianOf, pairedRatios, verdictOf } from './statistics.ts';

describe('medianOf', () => {
  test('takes the middle of an odd number of values', () => expect(medianOf([9, 1, 5])).toBe(5));
  test('takes the mean of the two in the middle of an even number', () =>
    expect(medianOf([4, 1, 3, 2])).toBe(2.5));
  test('is not a number without values', () => expect(medianOf([])).toBeNaN());
});

describe('estimateMedian', () => {
  const rounds = [0.9, 0.95, 0.97, 1, 1.01, 1.02, 1.04, 1.1, 1.2];

  test('returns the same interval for the same rounds and seed', () =>
    expect(estimateMedian([rounds], { seed: 7 })).toEqual(estimateMedian([rounds], { seed: 7 })));

  test('contains the median and stays within the values', () => {
    const { median, low, high } = estimateMedian([rounds]);
    expect(median).toBe(1.01);
    expect(low).toBeGreaterThanOrEqual(0.9);
    expect(low).toBeLessThan(median);
    expect(high).toBeGreaterThan(median);
    expect(high).toBeLessThanOrEqual(1.2);
  });

  test('narrows with the number of rounds', () => {
    const width = (estimate: { low: number; high: number }) => estimate.high - estimate.low;
    const many = Array.from({ length: 10 }, () => rounds).flat();
    expect(width(estimateMedian([many]))).toBeLessThan(width(estimateMedian([rounds])) / 2);
  });

  test('has no width when all rounds are equal', () =>
    expect(
      estimateMedian([
        [2, 2],
        [2, 2],
      ]),
    ).toEqual({ median: 2, low: 2, high: 2, rounds: 4 }));

  test('widens when blocks differ more than the rounds within them', () => {
    const blocks = [
      [1, 1.01, 0.99],
      [1.2, 1.21, 1.19],
      [0.8, 0.81, 0.79],
      [1, 1.01, 0.99],
    ];
    const { low, high } = estimateMedian(blocks);
    expect(low).toBeLessThan(0.9);
    expect(high).toBeGreaterThan(1.1);
    const together = estimateMedian([blocks.flat()]);
    expect(high - low).toBeGreaterThan(together.high - together.low);
  });

  test('covers the true median in about 95 of 100 samples', () => {
    let state = 12_345;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    // The sum of twelve uniform numbers is close to normal; its median is 6.
    const sample = () =>
      Array.from({ length: 20 }, () => Array.from({ length: 12 }, random).reduce((a, b) => a + b, 0));
    let covered = 0;
    for (let at = 0; at < 200; at += 1) {
      const { low, high } = estimateMedian([sample()], { seed: at, resamples: 400 });
      if (low <= 6 && high >= 6) covered += 1;
    }
    expect(covered).toBeGreaterThanOrEqual(180);
    expect(covered).toBeLessThanOrEqual(199);
  });
});

describe('verdictOf', () => {
  const estimate = (low: number, high: number) => ({ median: (low + high) / 2, low, high, rounds: 6 });

  test.each([
    [estimate(1.01, 1.1), 'higher', 'faster'],
    [estimate(0.9, 0.99), 'higher', 'slower'],
    [estimate(1.01, 1.1), 'lower', 'slower'],
    [estimate(0.9, 0.99), 'lower', 'faster'],
    [estimate(0.99, 1.01), 'higher', 'no difference shown'],
    [estimate(1, 1.2), 'lower', 'no difference shown'],
    [estimate(0.8, 1), 'higher', 'no difference shown'],
    [estimate(NaN, NaN), 'lower', 'no difference shown'],
  ] as const)('returns %o with %s better as %s', (ratio, better, verdict) =>
    expect(verdictOf(ratio, better)).toBe(verdict),
  );

  test('requires at least six rounds, which fall on one side by chance once in 32 times', () =>
    expect(verdictOf({ ...estimate(1.1, 1.2), rounds: 5 }, 'higher')).toBe('too few rounds'));
});

test('divides numbers of the same round', () => {
  expect(pairedRatios([2, 9], [1, 3])).toEqual([2, 3]);
  expect(() => pairedRatios([1], [1, 2])).toThrow('every round');
});

test('prints an estimate with its interval', () =>
  expect(formatEstimate({ median: 1.004, low: 0.98, high: 1.023, rounds: 9 })).toBe('1.00 (0.98 to 1.02)'));
