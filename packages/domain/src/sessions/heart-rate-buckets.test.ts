import { expect, test } from 'vitest';
import { bucketsOf } from './heart-rate-buckets.ts';

const second = 1000;
const hour = 3_600_000;
const trace = {
  offsetsMs: [0, 14_999, 15_000, 29_999, 30_000, 59_999, 60_000, 125_000],
  bpm: [100, 103, 110, 111, 120, 121, 130, 140],
};

test.each([
  [
    'of 15 seconds up to an hour',
    hour,
    [
      [0, 101.5],
      [15 * second, 110.5],
      [30 * second, 120],
      [45 * second, 121],
      [60 * second, 130],
      [120 * second, 140],
    ],
  ],
  [
    'of 30 seconds up to three hours',
    hour + 1,
    [
      [0, 106],
      [30 * second, 120.5],
      [60 * second, 130],
      [120 * second, 140],
    ],
  ],
  [
    'of 30 seconds at three hours',
    3 * hour,
    [
      [0, 106],
      [30 * second, 120.5],
      [60 * second, 130],
      [120 * second, 140],
    ],
  ],
  [
    'of a minute beyond',
    3 * hour + 1,
    [
      [0, 665 / 6],
      [60 * second, 130],
      [120 * second, 140],
    ],
  ],
] as const)('uses buckets %s', (_name, lengthMs, expected) => {
  expect(bucketsOf(trace, lengthMs).map(({ offsetMs, bpm }) => [offsetMs, bpm])).toEqual(expected);
});

test('has no buckets without a trace', () => {
  expect(bucketsOf({ offsetsMs: [], bpm: [] }, hour)).toEqual([]);
});
