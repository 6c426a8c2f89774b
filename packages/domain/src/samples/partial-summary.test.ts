import { describe, expect, test } from 'vitest';
import type { Chunk } from './chunk.ts';
import { addPartials, meanOf, summarize } from './partial-summary.ts';

function chunkOf(readings: [time: number, value: number, duration?: number][]): Chunk {
  return {
    times: Int32Array.from(readings, ([time]) => time),
    values: Float64Array.from(readings, ([, value]) => value),
    durations: Int32Array.from(readings, ([, , duration = 0]) => duration),
    ownerOf: new Uint16Array(readings.length),
    owners: [{ createdMs: 0, batchId: new Uint8Array(16), utcOffsetMinutes: null, unitCode: 0 }],
  };
}

test('weights every minute equally, regardless of its number of readings', () => {
  const part = summarize(
    chunkOf([
      [0, 60],
      [5_000, 80],
      [60_000, 100],
    ]),
    0,
    0,
    1e9,
    'avg',
  )!;
  expect(meanOf(part)).toBe(85); // (70 + 100) / 2
  expect(part).toMatchObject({ count: 3, sum: 240, min: 70, max: 100, last: 100, lastMs: 60_000 });
});

test('weights a reading longer than a minute by its duration', () => {
  const part = summarize(
    chunkOf([
      [0, 60],
      [60_000, 90, 120_000],
    ]),
    0,
    0,
    1e9,
    'avg',
  )!;
  expect(meanOf(part)).toBe(80); // (60 + 2 × 90) / 3
});

test('counts readings from the start of the range up to its end, without deletions', () => {
  const chunk = chunkOf([
    [0, 1],
    [10, 2],
    [20, Number.NaN],
    [30, 4],
    [40, 8],
  ]);
  expect(summarize(chunk, 1_000, 1_010, 1_040, 'avg')).toMatchObject({
    count: 2,
    sum: 6,
    last: 4,
    lastMs: 1_030,
  });
  expect(summarize(chunk, 1_000, 1_020, 1_030, 'avg')).toBeNull();
});

test('combines parts of a day into the same result as the whole day', () => {
  const chunk = chunkOf([
    [0, 10],
    [60_000, 20],
    [120_000, 60],
    [180_000, 30],
  ]);
  const whole = summarize(chunk, 0, 0, 1e9, 'sum')!;
  const parts = [summarize(chunk, 0, 0, 120_000, 'sum')!, summarize(chunk, 0, 120_000, 1e9, 'sum')!];
  expect(addPartials(parts)).toEqual(whole);
});

describe('a reading across the boundary', () => {
  const hourMs = 3_600_000;
  const chunk = chunkOf([[3 * hourMs, 1001, 2 * hourMs]]);

  test('counts in proportion on both sides, and once in all', () => {
    const [before, after] = [
      summarize(chunk, 0, 0, 4 * hourMs, 'sum')!,
      summarize(chunk, 0, 4 * hourMs, 8 * hourMs, 'sum')!,
    ];
    expect([before.sum, after.sum]).toEqual([501, 500]);
    expect([before.count, after.count]).toEqual([1, 0]);
    expect([before.observedMs, after.observedMs]).toEqual([hourMs, hourMs]);
  });

  test('has no part in a day without length', () => {
    expect(summarize(chunk, 0, 4 * hourMs, 4 * hourMs, 'sum')).toBeNull();
  });

  test('belongs to its start if the latest reading counts', () => {
    expect(summarize(chunk, 0, 4 * hourMs, 8 * hourMs, 'last')).toBeNull();
  });
});

describe('observed time', () => {
  const minuteMs = 60_000;
  test('of measured values is the number of 15-minute slots with a reading', () => {
    const chunk = chunkOf([
      [0, 60],
      [14 * minuteMs, 60],
      [16 * minuteMs, 60],
      [44 * minuteMs, 60, 2 * minuteMs],
    ]);
    expect(summarize(chunk, 0, 0, 1e9, 'avg')!.observedMs).toBe(4 * 15 * minuteMs);
  });

  test('of counts is the union of their intervals, at least a minute each', () => {
    const chunk = chunkOf([
      [0, 10, 10 * minuteMs],
      [5 * minuteMs, 10, 10 * minuteMs],
      [60 * minuteMs, 10],
    ]);
    expect(summarize(chunk, 0, 0, 1e9, 'sum')!.observedMs).toBe(16 * minuteMs);
  });
});
