import { expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { hourMs, minuteMs } from '../durations.ts';
import type { Chunk } from '../samples/chunk.ts';
import { chunkMs } from '../samples/chunk.ts';
import { mostSpotReadings, summarize } from '../samples/partial-summary.ts';
import { decodeDeviceDay, encodeDeviceDay } from './device-day-codec.ts';
import { emptyDeviceDay, setPartial, valueOfDay } from './device-day.ts';

const day = 20_500;
const dayStartMs = day * 24 * hourMs;

type Reading = readonly [minute: number, value: number, durationMs?: number];

/** The daily values of readings at minutes of a day, after storing them. */
function valuesOf(readingsByMetric: Record<string, readonly Reading[]>): Record<string, number | null> {
  const content = emptyDeviceDay();
  for (const [id, readings] of Object.entries(readingsByMetric)) {
    const { no, aggregation } = findMetric(id)!;
    const byChunk = Map.groupBy(readings, ([minute]) => Math.floor((minute * minuteMs) / chunkMs));
    for (const [at, some] of byChunk) {
      const startMs = dayStartMs + at * chunkMs;
      const part = summarize(chunkOf(some, at), startMs, 0, Infinity, aggregation, true);
      setPartial(content, no, startMs / chunkMs, part);
    }
  }
  const stored = decodeDeviceDay(encodeDeviceDay(content, day), day);
  return Object.fromEntries(
    Object.keys(readingsByMetric).map((id) => {
      const micros = valueOfDay(stored, findMetric(id)!.no);
      return [id, micros === null ? null : micros / 1e6];
    }),
  );
}

function chunkOf(readings: readonly Reading[], at: number): Chunk {
  return {
    times: Int32Array.from(readings, ([minute]) => minute * minuteMs - at * chunkMs),
    values: Float64Array.from(readings, ([, value]) => value * 1e6),
    durations: Int32Array.from(readings, ([, , durationMs = 0]) => durationMs),
    ownerOf: new Uint16Array(readings.length),
    owners: [{ createdMs: 0, batchId: new Uint8Array(16), utcOffsetMinutes: null, unitCode: 0 }],
  };
}

test('takes the complete weigh-in of two within an hour, in any order', () => {
  expect(
    valuesOf({
      weight: [
        [400, 80],
        [430, 79],
      ],
      body_fat_percentage: [[400, 20]],
    }),
  ).toEqual({ weight: 80, body_fat_percentage: 20 });
  expect(
    valuesOf({
      weight: [
        [400, 80],
        [430, 79],
      ],
      body_fat_percentage: [[431, 21]],
    }),
  ).toEqual({ weight: 79, body_fat_percentage: 21 });
});

test('takes the latest of equally complete weigh-ins', () => {
  expect(
    valuesOf({
      weight: [
        [100, 80],
        [900, 79],
      ],
      body_fat_percentage: [
        [100, 20],
        [900, 21],
      ],
    }),
  ).toEqual({ weight: 79, body_fat_percentage: 21 });
});

test('assigns a value to the nearest of two weigh-ins within ten minutes', () => {
  expect(
    valuesOf({
      weight: [
        [400, 80],
        [402, 79],
      ],
      body_fat_percentage: [[400, 20]],
    }),
  ).toEqual({ weight: 80, body_fat_percentage: 20 });
});

test('leaves out a value that belongs to no weigh-in', () => {
  expect(valuesOf({ weight: [[400, 80]], body_fat_percentage: [[600, 20]] })).toEqual({
    weight: 80,
    body_fat_percentage: null,
  });
});

test('takes the mean of complete blood pressures only', () => {
  expect(
    valuesOf({
      blood_pressure_systolic: [
        [500, 165],
        [700, 111],
        [720, 155],
      ],
      blood_pressure_diastolic: [
        [500, 105],
        [720, 95],
      ],
    }),
  ).toEqual({ blood_pressure_systolic: 160, blood_pressure_diastolic: 100 });
});

test('leaves out a diastolic value beside a complete blood pressure', () => {
  const own: Reading = [500, 95];
  for (const minute of [491, 502, 509]) {
    const other: Reading = [minute, 70];
    expect(
      valuesOf({
        blood_pressure_systolic: [[500, 150]],
        blood_pressure_diastolic: minute < 500 ? [other, own] : [own, other],
      }),
    ).toEqual({ blood_pressure_systolic: 150, blood_pressure_diastolic: 95 });
  }
});

test('never combines halves of two blood pressures', () => {
  expect(valuesOf({ blood_pressure_systolic: [[500, 118]], blood_pressure_diastolic: [[900, 105]] })).toEqual(
    { blood_pressure_systolic: 118, blood_pressure_diastolic: null },
  );
  expect(valuesOf({ blood_pressure_diastolic: [[900, 105]] })).toEqual({ blood_pressure_diastolic: 105 });
});

test('takes the mean of all blood pressures if they are too many or too long to show which belong together', () => {
  const many = Array.from({ length: mostSpotReadings + 1 }, (_, at): Reading => [at, 120]);
  expect(
    valuesOf({ blood_pressure_systolic: [...many, [600, 186]], blood_pressure_diastolic: [[0, 80]] }),
  ).toEqual({ blood_pressure_systolic: 121, blood_pressure_diastolic: 80 });
  expect(
    valuesOf({
      blood_pressure_systolic: [
        [0, 120, hourMs],
        [90, 130, hourMs],
      ],
      blood_pressure_diastolic: [[0, 80]],
    }),
  ).toEqual({ blood_pressure_systolic: 125, blood_pressure_diastolic: 80 });
});

test('keeps the latest of many weigh-ins', () => {
  const many = Array.from({ length: 200 }, (_, at): Reading => [at, 80 + at / 100]);
  expect(valuesOf({ weight: many, body_fat_percentage: [[199, 20]] })).toEqual({
    weight: 81.99,
    body_fat_percentage: 20,
  });
});
