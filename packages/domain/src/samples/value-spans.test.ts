import { expect, test } from 'vitest';
import type { Chunk } from './chunk.ts';
import { valueSpansOf } from './value-spans.ts';

const minuteMs = 60_000;
const startMs = Date.parse('2026-03-02T08:00:00Z');

function chunkOf(readings: [time: number, value: number, duration?: number][], durations = true): Chunk {
  return {
    times: Int32Array.from(readings, ([time]) => time),
    values: Float64Array.from(readings, ([, value]) => value),
    durations: durations ? Int32Array.from(readings, ([, , duration = 0]) => duration) : null,
    ownerOf: new Uint16Array(readings.length),
    owners: [{ createdMs: 0, batchId: new Uint8Array(16), utcOffsetMinutes: null, unitCode: 0 }],
  };
}

/** [minutes from the start of the chunk, length in minutes, value], sorted by time. */
function spansInMinutes(chunk: Chunk, fromMs = startMs, toMs = startMs + 240 * minuteMs): number[][] {
  return valueSpansOf(chunk, startMs, fromMs, toMs)
    .map((one) => [(one.startMs - startMs) / minuteMs, (one.endMs - one.startMs) / minuteMs, one.micros])
    .sort(([a], [b]) => a! - b!);
}

test('averages the readings within one minute', () => {
  const readings: [number, number][] = [
    [0, 60],
    [59_999, 80],
    [60_000, 100],
    [300_000, 90],
  ];
  const expectedSpans = [
    [0, 1, 70],
    [1, 1, 100],
    [5, 1, 90],
  ];
  expect(spansInMinutes(chunkOf(readings))).toEqual(expectedSpans);
  expect(spansInMinutes(chunkOf(readings, false))).toEqual(expectedSpans);
});

test('covers the duration of a reading, and at least one minute', () => {
  expect(
    spansInMinutes(
      chunkOf([
        [30_000, 60, 1_000],
        [120_000, 70, 60_000],
        [180_000, 80, 90_000],
      ]),
    ),
  ).toEqual([
    [0, 1, 60],
    [2, 1, 70],
    [3, 1.5, 80],
  ]);
});

test('ignores deleted readings', () => {
  expect(
    spansInMinutes(
      chunkOf([
        [0, 60],
        [10_000, Number.NaN],
        [60_000, Number.NaN],
      ]),
    ),
  ).toEqual([[0, 1, 60]]);
  expect(spansInMinutes(chunkOf([]))).toEqual([]);
});

test('includes the part of readings that lies in the range', () => {
  const chunk = chunkOf([
    [0, 60],
    [60_000, 70],
    [120_000, 80, 600_000],
    [180_000, 90],
  ]);
  expect(spansInMinutes(chunk, startMs + minuteMs, startMs + 3 * minuteMs)).toEqual([
    [1, 1, 70],
    [2, 1, 80],
  ]);
});
