import type { ReadBatch } from '@tributary/domain';

/** The part of a batch that one transaction processes. */
export interface BatchPiece {
  read: ReadBatch;
  /** Estimated work. A unit is about the work for one chunk of samples of a user with one device. */
  work: number;
  /** Items of the whole batch. */
  itemCount: number;
  /** Items that are done after this piece. */
  doneCount: number;
}

interface Item {
  work: number;
  addTo: (piece: ReadBatch) => void;
}

/** Whatever changes a day loads and compares the day of every device of the user. */
const workPerDevice = 0.15;
const workPerReading = 0.005;
const workPerRecord = 0.4;
/** A deleted record may have readings of several metrics. */
const workPerDeletion = 2;
/** A session is decided together with its neighbors, and gives values to many metrics. */
const workPerSession = 10;

/**
 * The next part of a batch: items up to an amount of work, and at least one. Items may be processed in separate transactions, because
 * each of them gives the same layers whenever it arrives. Their order matters only within one batch, and this order respects it: the
 * deletion of a session wins over a session of the same batch, and of two totals of a day the last one listed counts. Records come before
 * samples, so that a reading of a deleted record is counted as a duplicate. Samples and totals are in order of time, so that few pieces
 * load the same day.
 */
export function takePiece(
  read: ReadBatch,
  doneCount: number,
  mostWork: number,
  deviceCount: number,
): BatchPiece {
  const items = itemsOf(read, deviceCount);
  let work = 0;
  let end = doneCount;
  while (end < items.length && (end === doneCount || work + items[end]!.work <= mostWork)) {
    work += items[end]!.work;
    end += 1;
  }
  const isLast = end === items.length;
  if (doneCount === 0 && isLast) return { read, work, itemCount: items.length, doneCount: end };
  const piece: ReadBatch = {
    ...read,
    records: [],
    samples: [],
    totals: [],
    sleep: [],
    workouts: [],
    deletions: [],
    repeats: isLast ? read.repeats : 0,
  };
  for (const { addTo } of items.slice(doneCount, end)) addTo(piece);
  piece.totals.reverse(); // of two totals, the last one in the list counts
  return { read: piece, work, itemCount: items.length, doneCount: end };
}

function itemsOf(read: ReadBatch, deviceCount: number): Item[] {
  const perDay = deviceCount * workPerDevice;
  const perSession = workPerSession * (1 + perDay);
  const deletionsOf = (isOfRecords: boolean) =>
    read.deletions.filter(({ kind }) => (kind === 'record') === isOfRecords);
  return [
    ...read.records.map((record) => ({
      work: workPerRecord,
      addTo: (piece: ReadBatch) => piece.records.push(record),
    })),
    ...deletionsOf(true).map((deletion) => ({
      work: workPerDeletion + perDay,
      addTo: (piece: ReadBatch) => piece.deletions.push(deletion),
    })),
    ...read.samples
      .toSorted((a, b) => a.chunk - b.chunk)
      .map((sample) => ({
        work: 1 + perDay + sample.readings.times.length * workPerReading,
        addTo: (piece: ReadBatch) => piece.samples.push(sample),
      })),
    ...read.totals
      .toReversed()
      .sort((a, b) => a.day - b.day)
      .map((total) => ({
        work: 1 + perDay,
        addTo: (piece: ReadBatch) => piece.totals.push(total),
      })),
    ...read.sleep.map((session) => ({
      work: perSession,
      addTo: (piece: ReadBatch) => piece.sleep.push(session),
    })),
    ...read.workouts.map((workout) => ({
      work: perSession,
      addTo: (piece: ReadBatch) => piece.workouts.push(workout),
    })),
    ...deletionsOf(false).map((deletion) => ({
      work: perSession,
      addTo: (piece: ReadBatch) => piece.deletions.push(deletion),
    })),
  ];
}
