/** The creation time and ID of the batch that a version of a record came with. They decide which version is the latest. */
export interface Stamp {
  createdMs: number;
  batchId: string;
}

/**
 * Where the latest version of a record is, for one metric: metric, start in milliseconds, and its stamp. Earlier releases stored every
 * place of a record, without stamps.
 */
type RecordSlot =
  | readonly [metricNo: number, startMs: number]
  | readonly [metricNo: number, startMs: number, createdMs: number, batchId: string];

/** The state of a record with its own ID. */
export interface RecordState {
  /** In order of metric, then start. */
  slots: RecordSlot[];
  /** The stamp of the latest deletion. */
  deletedMs: number | null;
  deletedBy: string | null;
}

/** Called for each reading that no longer counts. The reading is the one of this record if it has the same stamp. */
export type Retire = (metricNo: number, startMs: number, stamp: Stamp) => void;

/** Sorts before every batch of the same creation time. */
const firstBatchId = '00000000-0000-0000-0000-000000000000';

/**
 * Adds a version of a record. Only the latest version counts, wherever it starts. Each retired reading keeps its own stamp, so the result
 * does not depend on the order of arrival, and newer data of another record at the same moment is unaffected.
 */
export function addVersion(
  record: RecordState,
  metricNo: number,
  startMs: number,
  stamp: Stamp,
  retire: Retire,
): void {
  const places = record.slots.filter(([metric]) => metric === metricNo);
  const latest = places.find((place) => place.length === 4);
  // Two replaced versions can have equal stamps. The start decides between them.
  if (latest && (compare(stampOf(latest)!, stamp) || latest[1] - startMs) > 0) {
    if (latest[1] !== startMs) retire(metricNo, startMs, stamp);
    return;
  }
  for (const place of places) {
    // Without a stamp, retire everything that is older than this version.
    const old = stampOf(place) ?? { createdMs: stamp.createdMs, batchId: firstBatchId };
    if (place[1] !== startMs) retire(metricNo, place[1], old);
  }
  const deleted = deletionOf(record);
  if (deleted && compare(deleted, stamp) >= 0) retire(metricNo, startMs, stamp);
  const others = record.slots.filter(([metric]) => metric !== metricNo);
  record.slots = [...others, [metricNo, startMs, stamp.createdMs, stamp.batchId] as const].sort(
    ([metricA, startA], [metricB, startB]) => metricA - metricB || startA - startB,
  );
}

/** Deletes all versions of a record up to a stamp. */
export function deleteRecord(record: RecordState, stamp: Stamp, retire: Retire): void {
  const deleted = deletionOf(record);
  if (deleted && compare(deleted, stamp) >= 0) return;
  record.deletedMs = stamp.createdMs;
  record.deletedBy = stamp.batchId;
  for (const place of record.slots) {
    const own = stampOf(place) ?? stamp;
    if (compare(own, stamp) <= 0) retire(place[0], place[1], own);
  }
}

/**
 * The stamp of a version whose reading another record of the same batch replaced. It is just older than that reading, so retiring it never
 * removes the other record's data.
 */
export function replacedStamp({ createdMs }: Stamp): Stamp {
  return { createdMs, batchId: firstBatchId };
}

function stampOf(slot: RecordSlot): Stamp | null {
  return slot.length === 4 ? { createdMs: slot[2], batchId: slot[3] } : null;
}

function deletionOf({ deletedMs, deletedBy }: RecordState): Stamp | null {
  return deletedMs === null ? null : { createdMs: deletedMs, batchId: deletedBy! };
}

function compare(a: Stamp, b: Stamp): number {
  if (a.createdMs !== b.createdMs) return a.createdMs - b.createdMs;
  return a.batchId === b.batchId ? 0 : a.batchId < b.batchId ? -1 : 1;
}
