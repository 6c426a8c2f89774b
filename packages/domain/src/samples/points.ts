import type { Aggregation } from '../catalog/metric.ts';
import type { MergedInterval } from '../consolidate/merge-intervals.ts';
import type { Chunk } from './chunk.ts';
import { readingsWithin } from './readings-within.ts';

/** Values sorted by time, ready for display. All lists have the same length. */
export interface Points {
  /** Milliseconds since 1970. */
  timesMs: number[];
  /** In millionths of the unit. */
  micros: number[];
  /** The original unit of each value. See `unitCodeOf`. Null if values combine several readings. */
  unitCodes: number[] | null;
  /** The device of each value. Null if all are from one device. */
  devices: number[] | null;
}

/** The readings of a chunk between `fromMs` and `toMs`. Of a count that crosses a boundary, the part in between. */
export function pointsOfChunk(
  chunk: Chunk,
  startMs: number,
  fromMs: number,
  toMs: number,
  aggregation: Aggregation,
): Points {
  const { ownerOf, owners } = chunk;
  const points = {
    timesMs: [] as number[],
    micros: [] as number[],
    unitCodes: [] as number[],
    devices: null,
  };
  // Only amounts have parts. A measured value is shown once, at its start.
  const parts = aggregation === 'sum' ? 'sum' : 'last';
  readingsWithin(chunk, startMs, fromMs, toMs, parts, (at, partFromMs, _, __, share) => {
    points.timesMs.push(partFromMs);
    points.micros.push(share);
    points.unitCodes.push(owners[ownerOf[at]!]!.unitCode);
  });
  return points;
}

/** Merged intervals as points at their start. */
export function pointsOfMerged(intervals: readonly MergedInterval[]): Points {
  return {
    timesMs: intervals.map(({ startMs }) => startMs),
    micros: intervals.map(({ value }) => value),
    unitCodes: null,
    devices: intervals.map(({ deviceNo }) => deviceNo),
  };
}

/** Joins consecutive parts of one series. */
export function joinPoints(parts: readonly Points[]): Points {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  return {
    timesMs: parts.flatMap(({ timesMs }) => timesMs),
    micros: parts.flatMap(({ micros }) => micros),
    unitCodes: first?.unitCodes ? parts.flatMap(({ unitCodes }) => unitCodes!) : null,
    devices: first?.devices ? parts.flatMap(({ devices }) => devices!) : null,
  };
}

/**
 * One value per bucket of `lengthMs` from `originMs`, placed at the start of the bucket: the sum for additive metrics, else the mean. A
 * reading belongs to the bucket it starts in, so that sums of buckets equal sums of readings. Buckets without readings are omitted. If a
 * bucket has several devices, the first one is its device.
 */
export function bucketPoints(
  { timesMs, micros, devices }: Points,
  originMs: number,
  lengthMs: number,
  aggregation: Aggregation,
): Points {
  const buckets: Points = { timesMs: [], micros: [], unitCodes: null, devices: devices && [] };
  for (let at = 0; at < timesMs.length;) {
    const start = originMs + Math.floor((timesMs[at]! - originMs) / lengthMs) * lengthMs;
    buckets.devices?.push(devices![at]!);
    let sum = 0;
    let count = 0;
    for (; at < timesMs.length && timesMs[at]! < start + lengthMs; at += 1) {
      sum += micros[at]!;
      count += 1;
    }
    buckets.timesMs.push(start);
    buckets.micros.push(aggregation === 'sum' ? sum : sum / count);
  }
  return buckets;
}
