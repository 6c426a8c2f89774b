import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import {
  addVersion,
  deleteRecord,
  replacedStamp,
  type RecordState,
  type Retire,
  type Stamp,
} from './record.ts';

/** A version of a record, or a deletion. */
interface Change {
  stamp: Stamp;
  metricNo: number;
  /** Null for a deletion. */
  startMs: number | null;
}

/** Applies changes as the service does. Of the readings with the same metric and start, the latest one remains, unless it is retired. */
function apply(changes: readonly Change[]): { starts: Map<number, number[]>; record: RecordState } {
  const record: RecordState = { slots: [], deletedMs: null, deletedBy: null };
  const latest = new Map<string, Stamp>();
  const retired = new Set<string>();
  for (const { stamp, metricNo, startMs } of changes) {
    const retire: Retire = (metric, start, of) =>
      void retired.add(`${metric}/${start} ${JSON.stringify(of)}`);
    if (startMs === null) {
      deleteRecord(record, stamp, retire);
      continue;
    }
    addVersion(record, metricNo, startMs, stamp, retire);
    const known = latest.get(`${metricNo}/${startMs}`);
    if (!known || orderOf(known, stamp) < 0) latest.set(`${metricNo}/${startMs}`, stamp);
  }
  const starts = new Map<number, number[]>();
  for (const [place, stamp] of latest) {
    if (retired.has(`${place} ${JSON.stringify(stamp)}`)) continue;
    const [metricNo, startMs] = place.split('/').map(Number) as [number, number];
    starts.set(metricNo, [...(starts.get(metricNo) ?? []), startMs]);
  }
  return { starts, record };
}

const orderOf = (a: Stamp, b: Stamp) => a.createdMs - b.createdMs || (a.batchId < b.batchId ? -1 : 1);

/** Independent reference implementation: the latest version of each metric, unless it is deleted. */
function latestStarts(changes: readonly Change[]): Map<number, number[]> {
  const starts = new Map<number, number[]>();
  for (const { metricNo, startMs } of changes.toSorted((a, b) => orderOf(a.stamp, b.stamp)))
    if (startMs === null) starts.clear();
    else starts.set(metricNo, [startMs]);
  return starts;
}

const batchIds = Array.from({ length: 8 }, (_, n) => `${n}0000000-0000-4000-8000-000000000000`);
// Each batch has its own ID. Few creation times, so that the batch ID often has to decide.
const changes = fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 8 }).chain((numbers) =>
  fc.tuple(
    ...numbers.map((n) =>
      fc.record({
        stamp: fc.nat(2).map((createdMs) => ({ createdMs, batchId: batchIds[n]! })),
        metricNo: fc.nat(1),
        startMs: fc.option(fc.nat(2).map((hour) => hour * 3_600_000)),
      }),
    ),
  ),
);
const cases = changes.chain((list) =>
  fc.tuple(
    fc.constant(list),
    fc.shuffledSubarray(list, { minLength: list.length }),
    fc.array(fc.constantFrom(...list), { maxLength: 3 }),
  ),
);

test('keeps the latest version of each metric, in any order and with any repetition', () => {
  fc.assert(
    fc.property(cases, ([inOrder, shuffled, repeated]) => {
      const { starts, record } = apply([...shuffled, ...repeated]);
      expect(starts).toEqual(latestStarts(inOrder));
      expect(record).toEqual(apply(inOrder).record);
    }),
    { numRuns: inject('thorough') ? 10_000 : 1_000 },
  );
});

test('stores one place per metric, however often a record moves', () => {
  const moves = Array.from({ length: 10_000 }, (_, n) => ({
    stamp: { createdMs: n, batchId: batchIds[0]! },
    metricNo: 1,
    startMs: n * 1000,
  }));
  const { record, starts } = apply(moves);
  expect(record.slots).toEqual([[1, 9_999_000, 9_999, batchIds[0]]]);
  expect(starts).toEqual(new Map([[1, [9_999_000]]]));
});

test('retires the places that an earlier release stored without a stamp', () => {
  const record: RecordState = {
    slots: [
      [1, 1000],
      [1, 2000],
      [2, 1000],
    ],
    deletedMs: null,
    deletedBy: null,
  };
  const retired: unknown[] = [];
  const stamp = { createdMs: 50, batchId: batchIds[3]! };
  addVersion(record, 1, 2000, stamp, (...reading) => retired.push(reading));
  // Just older than this version, so that other data of the same upload remains.
  expect(retired).toEqual([[1, 1000, replacedStamp(stamp)]]);
  expect(record.slots).toEqual([
    [1, 2000, 50, batchIds[3]],
    [2, 1000],
  ]);
  retired.length = 0;
  const deletion = { createdMs: 60, batchId: batchIds[4]! };
  deleteRecord(record, deletion, (...reading) => retired.push(reading));
  expect(retired).toEqual([
    [1, 2000, stamp],
    [2, 1000, deletion],
  ]);
});
