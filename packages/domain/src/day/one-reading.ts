import { measuredAtOnceWith } from '../catalog/measurements.ts';
import { metricOf } from '../catalog/catalog.ts';
import { minuteMs } from '../durations.ts';
import {
  addPartials,
  summarizeReadings,
  type Partial,
  type SpotReading,
} from '../samples/partial-summary.ts';

/** Values of one measurement may arrive a little apart. */
const longestMeasurementMs = 10 * minuteMs;

type Sampled = ReadonlyMap<number, ReadonlyMap<number, Partial>>;

/** The readings of one cuff inflation or weigh-in, by metric. */
interface Measurement {
  readonly timeMs: number;
  readonly readings: Map<number, SpotReading>;
}

/** The samples of a metric's day together. Null if there are none. */
export function totalOfSamples(sampled: Sampled, metricNo: number): Partial | null {
  const parts = sampled.get(metricNo);
  if (!parts) return null;
  const readings = readingsThatCount(sampled, metricNo);
  if (readings) return readings.length > 0 ? summarizeReadings(readings) : null;
  return parts.size > 0 ? addPartials(inOrder(parts)) : null;
}

/**
 * Of metrics that are measured at once, the readings of the most complete measurements: of the latest one if one reading represents the day, of
 * all for a mean. Null for other metrics, and if the single readings are not known.
 */
function readingsThatCount(sampled: Sampled, metricNo: number): SpotReading[] | null {
  const members = measuredAtOnceWith(metricNo)?.filter((no) => sampled.has(no));
  if (!members) return null;
  const readings = new Map<number, readonly SpotReading[]>();
  for (const no of members) {
    const known = singleReadings(sampled.get(no)!);
    if (!known) return null;
    readings.set(no, known);
  }
  const measurements = measurementsOf(readings);
  const most = Math.max(...measurements.map((one) => one.readings.size));
  const complete = measurements.filter((one) => one.readings.size === most);
  const counted = metricOf(metricNo).aggregation === 'last' ? complete.slice(-1) : complete;
  return counted.flatMap((one) => one.readings.get(metricNo) ?? []);
}

/** Every reading of the first metric is a measurement. Of each other metric, it has the nearest reading that is near no other measurement. */
function measurementsOf(readings: ReadonlyMap<number, readonly SpotReading[]>): Measurement[] {
  const [main, ...others] = [...readings];
  const [mainNo, mainReadings] = main!;
  const measurements = mainReadings.map((reading): Measurement => ({
    timeMs: reading.timeMs,
    readings: new Map([[mainNo, reading]]),
  }));
  for (const [no, ofMember] of others)
    for (const reading of ofMember) {
      const nearest = measurements.reduce((best, one) =>
        Math.abs(one.timeMs - reading.timeMs) < Math.abs(best.timeMs - reading.timeMs) ? one : best,
      );
      if (Math.abs(nearest.timeMs - reading.timeMs) > longestMeasurementMs) continue;
      const known = nearest.readings.get(no);
      const isNearer =
        !known || Math.abs(reading.timeMs - nearest.timeMs) <= Math.abs(known.timeMs - nearest.timeMs);
      if (isNearer) nearest.readings.set(no, reading);
    }
  return measurements;
}

function singleReadings(parts: ReadonlyMap<number, Partial>): SpotReading[] | null {
  const all: SpotReading[] = [];
  for (const { readings } of inOrder(parts)) {
    if (!readings) return null;
    all.push(...readings);
  }
  return all;
}

function inOrder(parts: ReadonlyMap<number, Partial>): Partial[] {
  const sorted = [...parts];
  if (sorted.length > 1) sorted.sort(([a], [b]) => a - b);
  return sorted.map(([, part]) => part);
}
