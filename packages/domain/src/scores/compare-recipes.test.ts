import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecipeComparison, type RecipeDifference } from './compare-recipes.ts';
import { scoreTypes } from './score.ts';

function compare(pairs: readonly (readonly [number | null, number | null])[]): RecipeDifference {
  const comparison = new RecipeComparison();
  for (const [first, second] of pairs) comparison.add('sleep_score', first, second);
  return comparison.results().find(({ type }) => type === 'sleep_score')!;
}

test('describes the days that both recipes score', () => {
  expect(
    compare([
      [80, 70],
      [60, 61],
      [null, 50],
      [40, null],
      [null, null],
      [76, 82],
      [null, 20],
    ]),
  ).toEqual({
    type: 'sleep_score',
    days: 3,
    onlyFirst: 1,
    onlySecond: 2,
    first: { mean: 72, spread: expect.closeTo(Math.sqrt((64 + 144 + 16) / 3), 10) },
    second: { mean: 71, spread: expect.closeTo(Math.sqrt((1 + 100 + 121) / 3), 10) },
    meanDifference: -1,
    largestDifference: -10,
    // Good becomes fair on the first of three days.
    bandChanges: 1 / 3,
  });
});

test('has no numbers for a score without days', () => {
  const results = new RecipeComparison().results();
  expect(results.map(({ type }) => type)).toEqual(scoreTypes);
  expect(results[0]).toEqual({
    type: 'recovery_score',
    days: 0,
    onlyFirst: 0,
    onlySecond: 0,
    first: null,
    second: null,
    meanDifference: null,
    largestDifference: null,
    bandChanges: null,
  });
});

test('gives the same mean and spread as two passes over the values', () => {
  const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 })), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(values, (tenths) => {
      const { first, second } = compare(tenths.map(([a, b]) => [a / 10, b / 10]));
      for (const [at, distribution] of [first!, second!].entries()) {
        const column = tenths.map((pair) => pair[at]! / 10);
        const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
        const variance = column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length;
        expect(distribution.mean).toBeCloseTo(mean, 8);
        expect(distribution.spread).toBeCloseTo(Math.sqrt(variance), 6);
      }
    }),
  );
});
