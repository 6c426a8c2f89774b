import { minuteMs } from '../durations.ts';
import type { Chunk } from './chunk.ts';

/** Aggregated samples of part of a day. Values are millionths of the unit. */
export interface Partial {
  count: number;
  sum: number;
  /** Time covered by readings: one minute for each minute with readings, or the duration of a longer reading. */
  coveredMs: number;
  /** The sum of all means, each multiplied by the minutes it covers. */
  weighted: number;
  /** Lowest and highest mean of a minute. */
  min: number;
  max: number;
  /** Time of the latest reading, in milliseconds since 1970. */
  lastMs: number;
  last: number;
  /** The original unit of the latest reading. See `unitCodeOf`. */
  unitCode: number;
}

/** Aggregates the readings of a chunk from `fromMs` up to `toMs`. Null if there are none. */
export function summarize(chunk: Chunk, startMs: number, fromMs: number, toMs: number): Partial | null {
  const { times, values, durations, ownerOf, owners } = chunk;
  const total: Partial = {
    count: 0,
    sum: 0,
    coveredMs: 0,
    weighted: 0,
    min: Infinity,
    max: -Infinity,
    lastMs: 0,
    last: 0,
    unitCode: 0,
  };
  const addMean = (mean: number, forMs: number) => {
    total.coveredMs += forMs;
    total.weighted += mean * (forMs / minuteMs);
    if (mean < total.min) total.min = mean;
    if (mean > total.max) total.max = mean;
  };

  let latest = 0;
  const first = fromMs - startMs;
  const end = toMs - startMs;
  let minute = -1;
  let minuteSum = 0;
  let minuteCount = 0;
  for (let at = lowerBound(times, first); at < times.length; at += 1) {
    const time = times[at]!;
    if (time >= end) break;
    const value = values[at]!;
    if (Number.isNaN(value)) continue;
    total.count += 1;
    total.sum += value;
    total.lastMs = startMs + time;
    total.last = value;
    latest = at;
    const duration = durations ? durations[at]! : 0;
    if (duration > minuteMs) {
      addMean(value, duration);
      continue;
    }
    const here = Math.floor(time / minuteMs);
    if (here !== minute) {
      if (minuteCount > 0) addMean(minuteSum / minuteCount, minuteMs);
      minute = here;
      minuteSum = 0;
      minuteCount = 0;
    }
    minuteSum += value;
    minuteCount += 1;
  }
  if (minuteCount > 0) addMean(minuteSum / minuteCount, minuteMs);
  if (total.count === 0) return null;
  total.unitCode = owners[ownerOf[latest]!]!.unitCode;
  return total;
}

function lowerBound(times: Int32Array, wanted: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Combines the parts of one day, which must be sorted by time. */
export function addPartials(parts: readonly Partial[]): Partial {
  const [first, ...rest] = parts;
  const total = { ...first! };
  for (const part of rest) {
    total.count += part.count;
    total.sum += part.sum;
    total.coveredMs += part.coveredMs;
    total.weighted += part.weighted;
    total.min = Math.min(total.min, part.min);
    total.max = Math.max(total.max, part.max);
    total.lastMs = part.lastMs;
    total.last = part.last;
    total.unitCode = part.unitCode;
  }
  return total;
}

/** The time-weighted mean. Every covered minute counts equally, regardless of its number of readings. */
export function meanOf(part: Partial): number {
  return part.weighted / (part.coveredMs / minuteMs);
}
