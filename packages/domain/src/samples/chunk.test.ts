import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { decodeChunk, encodeChunk } from './chunk-codec.ts';
import { chunkMs, mergeChunks, noCounts, type Chunk } from './chunk.ts';
import { compareStamps, uuidBytes, uuidText, type Owner } from './owner.ts';

const index = 123_456;

interface Reading {
  time: number;
  /** Null for a deletion. */
  micros: number | null;
  duration: number;
}
interface Batch {
  owner: Owner;
  readings: Reading[];
}

function chunkFrom({ owner, readings }: Batch): Chunk {
  const byTime = new Map(readings.map((reading) => [reading.time, reading]));
  const sorted = [...byTime.values()].sort((a, b) => a.time - b.time);
  const lasting = sorted.some(({ duration }) => duration !== 0);
  return {
    times: Int32Array.from(sorted, ({ time }) => time),
    values: Float64Array.from(sorted, ({ micros }) => micros ?? Number.NaN),
    durations: lasting ? Int32Array.from(sorted, ({ duration }) => duration) : null,
    ownerOf: new Uint16Array(sorted.length),
    owners: [owner],
  };
}

function mergeAll(batches: Batch[]): Uint8Array {
  let merged: Chunk | null = null;
  for (const batch of batches) {
    // Encodes and decodes each time, as the service does.
    const stored: Chunk | null = merged && decodeChunk(encodeChunk(merged, index), index);
    merged = mergeChunks(stored, chunkFrom(batch), noCounts());
  }
  return encodeChunk(merged!, index);
}

/** Independent reference implementation: for each instant, the reading of the latest batch. */
function naive(batches: Batch[]): Map<number, { micros: number | null; batch: string }> {
  const latest = new Map<number, { owner: Owner; micros: number | null }>();
  for (const { owner, readings } of batches) {
    for (const { time, micros } of readings) {
      const before = latest.get(time);
      const later =
        !before ||
        owner.createdMs > before.owner.createdMs ||
        (owner.createdMs === before.owner.createdMs &&
          uuidText(owner.batchId) >= uuidText(before.owner.batchId));
      if (later) latest.set(time, { owner, micros });
    }
  }
  return new Map(
    [...latest].map(([time, { owner, micros }]) => [time, { micros, batch: uuidText(owner.batchId) }]),
  );
}

const readings = fc.array(
  fc.record({
    time: fc.oneof(
      fc.integer({ min: 0, max: 40 }).map((n) => n * 5_000),
      fc.integer({ min: 0, max: chunkMs - 1 }),
    ),
    micros: fc.option(
      fc.oneof(
        fc.integer({ min: 40, max: 200 }).map((n) => n * 1_000_000),
        fc.integer({ min: -5_000_000_000, max: 5_000_000_000_000 }),
      ),
      { freq: 6 },
    ),
    duration: fc.constantFrom(0, 0, 5_000, 61_001),
  }),
  { minLength: 1, maxLength: 30 },
);
const batch: fc.Arbitrary<Batch> = fc.record({
  owner: fc.record({
    // Few distinct creation times, so that ties are common.
    createdMs: fc.integer({ min: 0, max: 3 }).map((n) => index * chunkMs + n * 1000),
    batchId: fc.uuid().map(uuidBytes),
    utcOffsetMinutes: fc.option(fc.integer({ min: -720, max: 840 })),
    unitCode: fc.integer({ min: 0, max: 2 }),
  }),
  readings,
});
const batches = fc.uniqueArray(batch, {
  minLength: 1,
  maxLength: 6,
  selector: ({ owner }) => uuidText(owner.batchId),
});

test('gives the same bytes for any order and repetition of batches, with the latest reading of every instant', () => {
  const cases = batches.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length }),
      fc.array(fc.constantFrom(...list), { maxLength: 3 }),
    ),
  );
  fc.assert(
    fc.property(cases, ([inOrder, shuffled, repeated]) => {
      const expected = mergeAll(inOrder);
      expect(mergeAll([...shuffled, ...repeated])).toEqual(expected);
      const chunk = decodeChunk(expected, index);
      const decodedReadings = new Map(
        [...chunk.times].map((time, at) => [
          time,
          {
            micros: Number.isNaN(chunk.values[at]) ? null : chunk.values[at]!,
            batch: uuidText(chunk.owners[chunk.ownerOf[at]!]!.batchId),
          },
        ]),
      );
      expect(decodedReadings).toEqual(new Map([...naive(inOrder)].sort(([a], [b]) => a - b)));
    }),
    { numRuns: inject('thorough') ? 3_000 : 500 },
  );
}, 30_000);

test('prefers a deletion to a reading of the same batch, in any order', () => {
  const owner = { createdMs: 7, batchId: new Uint8Array(16), utcOffsetMinutes: 60, unitCode: 2 };
  const reading = { owner, readings: [{ time: 5, micros: 9, duration: 0 }] };
  const deletion = {
    owner: { ...owner, utcOffsetMinutes: null, unitCode: 0 },
    readings: [{ time: 5, micros: null, duration: 0 }],
  };
  const deleted = mergeAll([reading, deletion]);
  expect([...decodeChunk(deleted, index).values]).toEqual([Number.NaN]);
  expect(mergeAll([deletion, reading])).toEqual(deleted);
  expect(mergeAll([reading, deletion, reading, deletion])).toEqual(deleted);
});

test('encodes and decodes a chunk without loss', () => {
  fc.assert(
    fc.property(batch, (one) => {
      const chunk = mergeChunks(null, chunkFrom(one), noCounts());
      const again = decodeChunk(encodeChunk(chunk, index), index);
      expect({ ...again, owners: [...again.owners] }).toEqual({ ...chunk, owners: [...chunk.owners] });
    }),
  );
});

test('counts new, updated, duplicate and deleted readings', () => {
  const owner = (createdMs: number, id: string): Owner => ({
    createdMs,
    batchId: uuidBytes(`00000000-0000-4000-8000-0000000000${id}`),
    utcOffsetMinutes: null,
    unitCode: 0,
  });
  const at = (time: number, micros: number | null): Reading => ({ time, micros, duration: 0 });
  const first = noCounts();
  const base = mergeChunks(
    null,
    chunkFrom({ owner: owner(10, '01'), readings: [at(0, 1), at(1, 2), at(2, 3)] }),
    first,
  );
  expect(first).toEqual({ new: 3, updated: 0, duplicate: 0, deleted: 0 });
  const second = noCounts();
  const newer = { owner: owner(20, '02'), readings: [at(0, 1), at(1, 5), at(2, null), at(3, 7)] };
  mergeChunks(base, chunkFrom(newer), second);
  expect(second).toEqual({ new: 1, updated: 1, duplicate: 1, deleted: 1 });
  const third = noCounts();
  mergeChunks(base, chunkFrom({ owner: owner(5, '03'), readings: [at(0, 9), at(1, null)] }), third);
  expect(third).toEqual({ new: 0, updated: 0, duplicate: 1, deleted: 0 });
});

test('encodes heart rate every five seconds in little more than one byte per value, before compression', () => {
  const values = Array.from(
    { length: 2_880 },
    (_, at) => (60 + Math.round(8 * Math.sin(at / 40))) * 1_000_000,
  );
  const chunk = chunkFrom({
    owner: { createdMs: 0, batchId: new Uint8Array(16), utcOffsetMinutes: 60, unitCode: 0 },
    readings: values.map((micros, position) => ({ time: position * 5_000, micros, duration: 0 })),
  });
  expect(encodeChunk(chunk, index).length / values.length).toBeLessThan(1.02);
});

test('rejects damaged bytes', () => {
  expect(() => decodeChunk(Uint8Array.of(9, 0, 0, 1), index)).toThrow('version 9');
  expect(() => decodeChunk(Uint8Array.of(1, 0, 0, 5, 1), index)).toThrow('unexpected end of data');
});

test('prefers the later creation time, then the greater ID', () => {
  const stamp = (createdMs: number, id: string): Owner => ({
    createdMs,
    batchId: uuidBytes(id),
    utcOffsetMinutes: null,
    unitCode: 0,
  });
  const low = '00000000-0000-4000-8000-0000000000ff';
  const high = '00000000-0000-4000-8000-000000000100';
  expect(compareStamps(stamp(2, low), stamp(1, high))).toBeGreaterThan(0);
  expect(compareStamps(stamp(1, low), stamp(1, high))).toBeLessThan(0);
  expect(compareStamps(stamp(1, low), stamp(1, low))).toBe(0);
});
