import type { Aggregation } from '../catalog/metric.ts';
import { minuteMs } from '../durations.ts';
import type { Chunk } from './chunk.ts';
import { ObservedTime } from './observed-time.ts';
import { readingsWithin } from './readings-within.ts';

/** Aggregated samples of part of a day. Values are millionths of the unit. */
export interface Partial {
  /** The readings that start in this part of the day. */
  count: number;
  sum: number;
  /** How much of the day the device observed. See `ObservedTime`. Null if the part was stored before this was known. */
  observedMs: number | null;
  /** The latest end of a reading, in milliseconds since 1970. */
  untilMs: number;
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
  /**
   * The single readings in order, for metrics that are measured at once with others: only they show which values belong together. Null for
   * other metrics, and for a mean of more or longer readings than can be stored.
   */
  readings: readonly SpotReading[] | null;
}

/** A reading of a moment, in millionths of the unit. */
export interface SpotReading {
  readonly timeMs: number;
  readonly micros: number;
  /** The original unit. See `unitCodeOf`. */
  readonly unitCode: number;
}

/** Most single readings that are stored for one part of a day. */
export const mostSpotReadings = 64;

/**
 * Aggregates the readings of a chunk between `fromMs` and `toMs`. A reading that only partly lies in between counts in proportion. Null if
 * there are none. `keepsReadings` also returns the single readings.
 */
export function summarize(
  chunk: Chunk,
  startMs: number,
  fromMs: number,
  toMs: number,
  aggregation: Aggregation,
  keepsReadings = false,
): Partial | null {
  const { times, durations, ownerOf, owners } = chunk;
  const total: Partial = {
    count: 0,
    sum: 0,
    observedMs: 0,
    untilMs: 0,
    coveredMs: 0,
    weighted: 0,
    min: Infinity,
    max: -Infinity,
    lastMs: 0,
    last: 0,
    unitCode: 0,
    readings: null,
  };
  const addMean = (mean: number, forMs: number) => {
    total.coveredMs += forMs;
    total.weighted += mean * (forMs / minuteMs);
    if (mean < total.min) total.min = mean;
    if (mean > total.max) total.max = mean;
  };

  const observed = new ObservedTime(aggregation, fromMs, toMs);
  const readings: SpotReading[] = [];
  let hasLongReading = false;
  let latest = -1;
  let minute = -1;
  let minuteSum = 0;
  let minuteCount = 0;
  readingsWithin(chunk, startMs, fromMs, toMs, aggregation, (at, fromPartMs, toPartMs, value, share) => {
    if (startMs + times[at]! >= fromMs) total.count += 1;
    total.sum += share;
    total.lastMs = fromPartMs;
    total.last = value;
    if (toPartMs > total.untilMs) total.untilMs = toPartMs;
    latest = at;
    observed.add(fromPartMs, toPartMs);
    if (keepsReadings)
      readings.push({ timeMs: fromPartMs, micros: value, unitCode: owners[ownerOf[at]!]!.unitCode });
    if ((durations ? durations[at]! : 0) > minuteMs) {
      hasLongReading = true;
      addMean(value, toPartMs - fromPartMs);
      return;
    }
    const here = Math.floor(fromPartMs / minuteMs);
    if (here !== minute) {
      if (minuteCount > 0) addMean(minuteSum / minuteCount, minuteMs);
      minute = here;
      minuteSum = 0;
      minuteCount = 0;
    }
    minuteSum += value;
    minuteCount += 1;
  });
  if (minuteCount > 0) addMean(minuteSum / minuteCount, minuteMs);
  if (latest < 0) return null;
  total.observedMs = observed.totalMs;
  total.unitCode = owners[ownerOf[latest]!]!.unitCode;
  // The latest of many readings are enough to find the one that represents the day, but not for a mean.
  const fits = aggregation === 'last' || (readings.length <= mostSpotReadings && !hasLongReading);
  if (keepsReadings && fits) total.readings = readings.slice(-mostSpotReadings);
  return total;
}

/** Combines the parts of one day, which must be sorted by time, without their single readings. */
export function addPartials(parts: readonly Partial[]): Partial {
  const [first, ...rest] = parts;
  const total = { ...first!, readings: null };
  for (const part of rest) {
    total.count += part.count;
    total.sum += part.sum;
    total.observedMs = addKnown(total.observedMs, part.observedMs);
    total.untilMs = Math.max(total.untilMs, part.untilMs);
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

function addKnown(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** The time-weighted mean. Every covered minute counts equally, regardless of its number of readings. */
export function meanOf(part: Partial): number {
  return part.weighted / (part.coveredMs / minuteMs);
}

/** Aggregates single readings, which must be in order. There must be at least one. */
export function summarizeReadings(readings: readonly SpotReading[]): Partial {
  const latest = readings.at(-1)!;
  const means = [...Map.groupBy(readings, ({ timeMs }) => Math.floor(timeMs / minuteMs)).values()].map(
    (ofMinute) => sumOf(ofMinute) / ofMinute.length,
  );
  return {
    count: readings.length,
    sum: sumOf(readings),
    observedMs: null,
    untilMs: latest.timeMs,
    coveredMs: means.length * minuteMs,
    weighted: means.reduce((sum, mean) => sum + mean, 0),
    min: Math.min(...means),
    max: Math.max(...means),
    lastMs: latest.timeMs,
    last: latest.micros,
    unitCode: latest.unitCode,
    readings: null,
  };
}

function sumOf(readings: readonly SpotReading[]): number {
  return readings.reduce((sum, { micros }) => sum + micros, 0);
}
