import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Chunk } from './chunk.ts';
import { bucketPoints, joinPoints, pointsOfChunk, pointsOfMerged, type Points } from './points.ts';

function points(...readings: [timeMs: number, micros: number][]): Points {
  return {
    timesMs: readings.map(([time]) => time),
    micros: readings.map(([, micros]) => micros),
    unitCodes: readings.map(() => 0),
    devices: null,
  };
}

test('returns the readings of a chunk in the range with their units, without deletions', () => {
  const owner = { createdMs: 0, batchId: new Uint8Array(16), utcOffsetMinutes: null };
  const chunk: Chunk = {
    times: Int32Array.of(0, 10, 20, 30, 40),
    values: Float64Array.of(1, 2, NaN, 4, 5),
    durations: null,
    ownerOf: Uint16Array.of(0, 1, 0, 1, 0),
    owners: [
      { ...owner, unitCode: 0 },
      { ...owner, unitCode: 7 },
    ],
  };
  expect(pointsOfChunk(chunk, 1000, 1010, 1040, 'avg')).toEqual({
    timesMs: [1010, 1030],
    micros: [2, 4],
    unitCodes: [7, 7],
    devices: null,
  });
});

test('places merged intervals at their start with their device', () => {
  const merged = pointsOfMerged([{ startMs: 5, endMs: 9, value: 3, deviceNo: 2 }]);
  expect(merged).toEqual({ timesMs: [5], micros: [3], unitCodes: null, devices: [2] });
});

test('joins parts in order and returns empty points without parts', () => {
  expect(joinPoints([points([1, 10]), points([2, 20])])).toEqual(points([1, 10], [2, 20]));
  expect(joinPoints([]).timesMs).toEqual([]);
});

describe('buckets', () => {
  const some = points([100, 10], [109, 20], [110, 30], [131, 40]);
  test('start at the origin, contain the mean or the sum, and are omitted if empty', () => {
    expect(bucketPoints(some, 100, 10, 'avg')).toMatchObject({
      timesMs: [100, 110, 130],
      micros: [15, 30, 40],
    });
    expect(bucketPoints(some, 100, 10, 'sum')).toMatchObject({
      timesMs: [100, 110, 130],
      micros: [30, 30, 40],
    });
    expect(bucketPoints(some, 95, 10, 'sum')).toMatchObject({
      timesMs: [95, 105, 125],
      micros: [10, 50, 40],
    });
  });

  test('preserve the sum of all readings for any bucket length', () => {
    const readings = fc.uniqueArray(fc.nat(100_000), { maxLength: 60 });
    fc.assert(
      fc.property(readings, fc.integer({ min: 1, max: 5000 }), (times, length) => {
        const all = points(
          ...times.toSorted((a, b) => a - b).map((time) => [time, time * 3] as [number, number]),
        );
        const buckets = bucketPoints(all, 0, length, 'sum');
        const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
        expect(sum(buckets.micros)).toBe(sum(all.micros));
        expect(buckets.timesMs).toEqual([...new Set(all.timesMs.map((time) => time - (time % length)))]);
      }),
    );
  });
});
