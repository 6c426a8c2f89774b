import { describe, expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { emptyDeviceDay, setPartial, type DeviceDay } from '../day/device-day.ts';
import { chunkMs, type Chunk } from '../samples/chunk.ts';
import { toMicros } from '../samples/micros.ts';
import { uuidBytes } from '../samples/owner.ts';
import { summarize } from '../samples/partial-summary.ts';
import { sampledMetricBehind, sampledMetricsOf, samplesBetween } from './samples-behind.ts';

const heartRate = findMetric('heart_rate')!.no;
const highest = findMetric('heart_rate_max')!.no;
const first = '00000000-0000-4000-8000-000000000001';
const second = '00000000-0000-4000-8000-000000000002';

function owner(batchId: string, createdMs: number, unitCode = 0) {
  return { batchId: uuidBytes(batchId), createdMs, utcOffsetMinutes: null, unitCode };
}

function chunkOf(...readings: [atMs: number, value: number, ownerIndex: number][]): Chunk {
  return {
    times: Int32Array.from(readings, ([at]) => at),
    values: Float64Array.from(readings, ([, value]) => toMicros(value)),
    durations: null,
    ownerOf: Uint16Array.from(readings, ([, , index]) => index),
    owners: [owner(first, 1), owner(first, 1, 5), owner(second, 2)],
  };
}

describe('samples between two instants', () => {
  test('counts readings by batch, without deletions and readings outside the range', () => {
    const chunks = [
      { chunk: 0, content: chunkOf([0, 1, 0], [10, 2, 1], [20, Number.NaN, 0], [30, 3, 2]) },
      { chunk: 1, content: chunkOf([0, 4, 2], [50, 5, 2]) },
    ];
    expect(samplesBetween(chunks, 5, chunkMs + 50)).toEqual({
      count: 3,
      firstMs: 10,
      lastMs: chunkMs,
      batches: [
        { batchId: first, createdMs: 1, readings: 1 },
        { batchId: second, createdMs: 2, readings: 2 },
      ],
    });
    expect(samplesBetween(chunks, 0, 11)?.batches).toEqual([{ batchId: first, createdMs: 1, readings: 2 }]);
  });

  test('returns null without readings', () => {
    expect(samplesBetween([{ chunk: 0, content: chunkOf([0, 1, 0]) }], 1, 10)).toBeNull();
  });
});

describe('samples behind a value', () => {
  function sampled(...metrics: number[]): DeviceDay {
    const day = emptyDeviceDay();
    for (const metricNo of metrics)
      setPartial(day, metricNo, 0, summarize(chunkOf([0, 70, 0]), 0, 0, chunkMs, 'avg'));
    return day;
  }

  test('finds its own samples, or those of the metric that it accompanies', () => {
    expect(sampledMetricsOf(highest)).toEqual([highest, heartRate]);
    expect(sampledMetricsOf(heartRate)).toEqual([heartRate]);
    expect(sampledMetricBehind(sampled(heartRate), highest)).toBe(heartRate);
    expect(sampledMetricBehind(sampled(heartRate, highest), highest)).toBe(highest);
    expect(sampledMetricBehind(sampled(highest), heartRate)).toBeNull();
  });

  test('returns null if the device reported a total', () => {
    const day = sampled(heartRate);
    day.reported.set(heartRate, { micros: toMicros(60), owner: owner(first, 1) });
    expect(sampledMetricBehind(day, heartRate)).toBeNull();
  });
});
