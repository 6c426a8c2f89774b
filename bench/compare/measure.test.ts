import { expect, test } from 'vitest';
import { roundOrder, sumUp } from './measure.ts';

test('orders a round symmetrically, with both sides equally often', () => {
  expect(roundOrder.toReversed()).toEqual(roundOrder);
  expect(roundOrder.filter((part) => part === 'old')).toHaveLength(2);
  expect(roundOrder.filter((part) => part === 'new')).toHaveLength(2);
});

test('weights the slices of a round by their responses', () => {
  const slices = [
    { responses: 300, seconds: 1, micros: 30_000 },
    { responses: 100, seconds: 1, micros: 50_000 },
  ];
  expect(sumUp(slices)).toEqual({ perSecond: 200, microsPerRequest: 200 });
});
