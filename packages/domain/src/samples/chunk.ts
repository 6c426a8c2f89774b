import { hourMs } from '../durations.ts';
import { compareOwners, compareStamps, type Owner } from './owner.ts';

/** Samples of a device and metric are stored in chunks of four hours UTC. That is long enough to compress well and short enough to rewrite often. */
export const chunkMs = 4 * hourMs;

/** Readings sorted by time, at most one per instant. */
export interface Chunk {
  /** Milliseconds from the start of the chunk, ascending. */
  times: Int32Array;
  /** In millionths of the unit. NaN for a deletion. */
  values: Float64Array;
  /** Duration of each reading in milliseconds. Null if all are instantaneous. */
  durations: Int32Array | null;
  /** The index of each reading's owner. */
  ownerOf: Uint16Array;
  owners: readonly Owner[];
}

export interface MergeCounts {
  new: number;
  updated: number;
  duplicate: number;
  deleted: number;
}

export function noCounts(): MergeCounts {
  return { new: 0, updated: 0, duplicate: 0, deleted: 0 };
}

/** The chunk that contains an instant. */
export function chunkOf(instantMs: number): number {
  return Math.floor(instantMs / chunkMs);
}

/**
 * Merges two chunks of the same span. Where both have a reading, the later one wins, and a deletion wins over a reading of the same batch.
 * The choice of `base` affects only the counts: the content, and so the bytes, are the same in any order and after any repetition.
 */
export function mergeChunks(base: Chunk | null, incoming: Chunk, counts: MergeCounts): Chunk {
  if (!base) {
    for (let at = 0; at < incoming.values.length; at += 1)
      if (!Number.isNaN(incoming.values[at]!)) counts.new += 1;
    return compact({ ...incoming, ownerOf: incoming.ownerOf.slice() }, incoming.times.length);
  }
  const room = base.times.length + incoming.times.length;
  const merged = {
    times: new Int32Array(room),
    values: new Float64Array(room),
    durations: base.durations || incoming.durations ? new Int32Array(room) : null,
    ownerOf: new Uint16Array(room),
    owners: [...base.owners, ...incoming.owners],
  };
  let length = 0;
  const take = (from: Chunk, start: number, end: number, ownerShift: number) => {
    if (start === end) return;
    merged.times.set(from.times.subarray(start, end), length);
    merged.values.set(from.values.subarray(start, end), length);
    if (merged.durations && from.durations) merged.durations.set(from.durations.subarray(start, end), length);
    for (let at = start; at < end; at += 1) merged.ownerOf[length++] = from.ownerOf[at]! + ownerShift;
  };

  const compare = stampComparison(base, incoming);
  const shift = base.owners.length;
  let left = 0;
  let right = 0;
  // Copies runs from one side at once, because readings of two batches seldom alternate.
  while (left < base.times.length || right < incoming.times.length) {
    const limit = right < incoming.times.length ? incoming.times[right]! : Infinity;
    const leftStart = left;
    while (left < base.times.length && base.times[left]! < limit) left += 1;
    take(base, leftStart, left, 0);
    const nextBase = left < base.times.length ? base.times[left]! : Infinity;
    const rightStart = right;
    while (right < incoming.times.length && incoming.times[right]! < nextBase) {
      if (!Number.isNaN(incoming.values[right]!)) counts.new += 1;
      right += 1;
    }
    take(incoming, rightStart, right, shift);
    if (
      left < base.times.length &&
      right < incoming.times.length &&
      base.times[left] === incoming.times[right]
    ) {
      const order = compare(base.ownerOf[left]!, incoming.ownerOf[right]!);
      const replaces = order > 0 || (order === 0 && Number.isNaN(incoming.values[right]!));
      count(counts, base, left, incoming, right, replaces);
      if (replaces) take(incoming, right, right + 1, shift);
      else take(base, left, left + 1, 0);
      left += 1;
      right += 1;
    }
  }
  return compact(merged, length);
}

/** Positive if a reading of an incoming owner is later than one of a base owner, zero for the same batch. Each pair is compared once. */
function stampComparison(base: Chunk, incoming: Chunk): (baseOwner: number, incomingOwner: number) => number {
  const width = incoming.owners.length;
  // Zero is unknown, so orders are stored as 1, 2 and 3.
  const known = new Int8Array(base.owners.length * width);
  return (baseOwner, incomingOwner) => {
    const at = baseOwner * width + incomingOwner;
    known[at] ||= 2 + Math.sign(compareStamps(incoming.owners[incomingOwner]!, base.owners[baseOwner]!));
    return known[at] - 2;
  };
}

function count(
  counts: MergeCounts,
  base: Chunk,
  left: number,
  incoming: Chunk,
  right: number,
  replaces: boolean,
): void {
  const before = base.values[left]!;
  const after = incoming.values[right]!;
  if (Number.isNaN(after)) {
    if (replaces && !Number.isNaN(before)) counts.deleted += 1;
    return;
  }
  const sameDuration = (base.durations?.[left] ?? 0) === (incoming.durations?.[right] ?? 0);
  if (replaces && !(before === after && sameDuration)) counts.updated += 1;
  else counts.duplicate += 1;
}

/** Drops owners without readings and sorts the rest. */
function compact(chunk: Chunk, length: number): Chunk {
  const ownerOf = chunk.ownerOf.subarray(0, length);
  const used = new Uint8Array(chunk.owners.length);
  for (let at = 0; at < length; at += 1) used[ownerOf[at]!] = 1;
  const order = chunk.owners
    .map((owner, index) => ({ owner, index }))
    .filter(({ index }) => used[index])
    .sort((a, b) => compareOwners(a.owner, b.owner));
  const owners: Owner[] = [];
  const renumbered = new Uint16Array(chunk.owners.length);
  for (const { owner, index } of order) {
    const last = owners.at(-1);
    if (!last || compareOwners(last, owner) !== 0) owners.push(owner);
    renumbered[index] = owners.length - 1;
  }
  for (let at = 0; at < length; at += 1) ownerOf[at] = renumbered[ownerOf[at]!]!;
  const durations = chunk.durations?.subarray(0, length) ?? null;
  return {
    times: chunk.times.subarray(0, length),
    values: chunk.values.subarray(0, length),
    durations: durations?.some((duration) => duration !== 0) ? durations : null,
    ownerOf,
    owners,
  };
}
