import { expect, test } from 'vitest';
import { roundOrder, sumUp } from './measure.ts';

test('a round reads the same forwards and backwards and has both sides equally often', () => {
  expect(roundOrder.toReversed()).toEqual(roundOrder);
  expect(roundOrder.filter((part) => part === 'old')).toHaveLength(2);
  expect(roundOrder.filter((part) => part === 'new')).toHaveLength(2);
});

test('slices of a round count by their responses and not alike', () => {
  const slices = [
    { responses: 300, seconds: 1, micros: 30_000 },
    { responses: 100, seconds: 1, micros: 50_000 },
  ];
  expect(sumUp(slices)).toEqual({ perSecond: 200, microsPerRequest: 200 });
});
