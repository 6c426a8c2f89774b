import type { BatchWire } from '@tributary/contract';
import { readBatch, type ReadBatch } from '@tributary/domain';
import { describe, expect, test } from 'vitest';
import { takePiece } from './batch-piece.ts';

const batchId = '4f9b2d0e-7f4a-4a83-9d6b-0a4f5e3b2c11';
const receivedMs = Date.parse('2026-03-20T00:00:00Z');
const date = (at: number) => new Date(Date.UTC(2026, 1, 1 + at)).toISOString().slice(0, 10);

/** Every kind of item, on twenty days. */
function everything(): ReadBatch {
  const days = Array.from({ length: 20 }, (_, at) => date(at));
  const body: BatchWire = {
    batch_id: batchId,
    device: { provider: 'apple_health', id: 'watch', kind: 'watch' },
    series: [
      {
        metric: 'heart_rate',
        start: `${date(0)}T10:00:00Z`,
        interval_seconds: 86_400,
        values: days.map(() => 60),
      },
    ],
    records: [
      ...days.map((day, at) => ({ metric: 'steps', start: `${day}T08:00:00Z`, value: at, id: `r${at}` })),
      { metric: 'steps', start: `${date(0)}T08:00:00Z`, value: 5 },
    ],
    daily: [...days, ...days].map((day, at) => ({ metric: 'floors_climbed', date: day, value: at })),
    sleep: [{ id: 'night', start: `${date(2)}T22:00:00Z`, end: `${date(3)}T06:00:00Z` }],
    workouts: [
      { id: 'run', sport_type: 'running', start: `${date(2)}T10:00:00Z`, end: `${date(2)}T11:00:00Z` },
    ],
    deletions: [
      { kind: 'workout', id: 'old' },
      { kind: 'record', id: 'gone' },
    ],
  };
  const scopes = ['activity', 'vitals', 'sleep', 'workouts'] as never;
  return readBatch(body, { batchId, createdMs: receivedMs, receivedMs, scopes });
}

function piecesOf(read: ReadBatch, mostWork: number, deviceCount = 1): ReadBatch[] {
  const pieces: ReadBatch[] = [];
  for (let done = 0; ;) {
    const piece = takePiece(read, done, mostWork, deviceCount);
    expect(piece.doneCount).toBeGreaterThan(done);
    pieces.push(piece.read);
    done = piece.doneCount;
    if (done === piece.itemCount) return pieces;
  }
}

describe('a batch in pieces', () => {
  test('is processed as it is if all of its work fits', () => {
    const read = everything();
    expect(piecesOf(read, 1_000)).toEqual([read]);
    expect(piecesOf(read, 1_000)[0]).toBe(read);
  });

  test.each([0.1, 1, 3, 10, 50])('contains every item once with at most %d units of work', (mostWork) => {
    const read = everything();
    const pieces = piecesOf(read, mostWork);
    expect(pieces.length).toBeGreaterThan(1);
    for (const list of ['records', 'samples', 'totals', 'sleep', 'workouts', 'deletions'] as const) {
      const items = pieces.flatMap((piece): unknown[] => piece[list]);
      expect(items).toHaveLength(read[list].length);
      expect(new Set(items)).toEqual(new Set<unknown>(read[list]));
    }
    expect(pieces.reduce((sum, { repeats }) => sum + repeats, 0)).toBe(read.repeats);
    expect(read.repeats).toBe(1);
  });

  test('processes the last of two totals of a day first', () => {
    const pieces = piecesOf(everything(), 0.1).filter(({ totals }) => totals.length > 0);
    const micros = pieces.map(({ totals }) => totals[0]!.micros / 1_000_000);
    expect(micros.slice(0, 4)).toEqual([20, 0, 21, 1]);
  });

  test('processes records before samples, and deletions of sessions last', () => {
    const pieces = piecesOf(everything(), 0.1);
    const placeOf = (isIn: (piece: ReadBatch) => boolean) => pieces.findIndex(isIn);
    expect(placeOf(({ records }) => records.length > 0)).toBe(0);
    expect(pieces.at(-1)!.deletions).toEqual([{ kind: 'workout', id: 'old' }]);
    expect(placeOf(({ deletions }) => deletions[0]?.kind === 'record')).toBeLessThan(
      placeOf(({ samples }) => samples.length > 0),
    );
  });

  test('has smaller pieces for a user with many devices', () => {
    expect(piecesOf(everything(), 20, 100).length).toBeGreaterThan(piecesOf(everything(), 20, 1).length);
  });
});
