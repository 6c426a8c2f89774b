import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clampSpan, indexAt, reduce, summarize } from './reduce.ts';

const every = (step: number, values: (number | null)[], gapSeconds = 60) => ({
  times: values.map((_, at) => at * step),
  values,
  gapSeconds,
});

test('returns few samples unchanged', () => {
  const samples = every(10, [60, 70, 65]);
  expect(reduce(samples, 0, 20, 100)).toEqual({
    times: [0, 10, 20],
    highs: [60, 70, 65],
    lows: [60, 70, 65],
    means: [60, 70, 65],
  });
});

test('reduces many samples to the low, high and mean of each bucket', () => {
  const values = Array.from({ length: 1_000 }, (_, at) => at);
  const { lows, highs, means, times } = reduce(every(1, values), 0, 1_000, 10);
  expect(times).toHaveLength(10);
  expect([lows[1], highs[1], means[1], times[1]]).toEqual([100, 199, 149.5, 149.5]);
});

test('treats a long silence and a null as gaps', () => {
  const samples = { times: [0, 10, 500, 510, 520], values: [60, 61, 62, null, 64], gapSeconds: 60 };
  const { times, means } = reduce(samples, 0, 520, 100);
  expect(times).toEqual([0, 10, 255, 500, 510, 520]);
  expect(means).toEqual([60, 61, null, 62, null, 64]);
});

test('extends the line to the edge of the range', () => {
  const samples = every(10, [1, 2, 3, 4, 5]);
  expect(reduce(samples, 15, 25, 100).times).toEqual([10, 20, 30]);
});

test('keeps the extremes at every width', () => {
  const values = fc.array(fc.integer({ min: 30, max: 220 }), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 300 }), (list, buckets) => {
      const { lows, highs, times } = reduce(every(5, list), 0, list.length * 5, buckets);
      expect(Math.min(...lows.filter((value) => value !== null))).toBe(Math.min(...list));
      expect(Math.max(...highs.filter((value) => value !== null))).toBe(Math.max(...list));
      expect(times.length).toBeLessThanOrEqual(Math.max(buckets, Math.min(list.length, buckets)) + 1);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }),
  );
});

test('summarizes no values as null', () => {
  expect(summarize([null, null], 0, 2)).toBeNull();
  expect(summarize([50, null, 70], 0, 3)).toEqual({ count: 2, low: 50, high: 70, mean: 60 });
});

test('finds the index between samples', () => {
  expect([-1, 0, 5, 10, 99].map((moment) => indexAt([0, 10, 20], moment))).toEqual([0, 0, 1, 1, 3]);
});

test('moves a span into the range without shrinking it, and enforces the minimum length', () => {
  expect(clampSpan([-50, 50], [0, 1_000], 10)).toEqual([0, 100]);
  expect(clampSpan([950, 1_050], [0, 1_000], 10)).toEqual([900, 1_000]);
  expect(clampSpan([500, 501], [0, 1_000], 10)).toEqual([500, 510]);
  expect(clampSpan([-500, 5_000], [0, 1_000], 10)).toEqual([0, 1_000]);
});
