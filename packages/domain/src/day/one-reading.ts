import { measurementOf } from '../catalog/measurements.ts';
import { metricOf } from '../catalog/catalog.ts';
import { minuteMs } from '../durations.ts';
import type { Partial } from '../samples/partial-summary.ts';

/** Values of one weigh-in may arrive a little apart. */
const longestReadingMs = 10 * minuteMs;

type Sampled = ReadonlyMap<number, ReadonlyMap<number, Partial>>;

/**
 * The parts of a metric that belong to the one measurement that represents the day: the most complete one, or the latest of several. Other
 * metrics have all their parts.
 */
export function partsOfOneReading(
  sampled: Sampled,
  metricNo: number,
): readonly (readonly [number, Partial])[] {
  const stored = sampled.get(metricNo);
  if (!stored) return [];
  const parts = [...stored];
  if (parts.length > 1) parts.sort(([a], [b]) => a - b);
  if (!isLatest(metricNo)) return parts;
  const members = measurementOf(metricNo);
  if (!members) return parts;
  const timeMs = timeOfReading(sampled, members.filter(isLatest));
  return parts.filter(([, { lastMs }]) => isAt(lastMs, timeMs));
}

function isLatest(metricNo: number): boolean {
  return metricOf(metricNo).aggregation === 'last';
}

function timeOfReading(sampled: Sampled, members: readonly number[]): number {
  const timesOf = (no: number) => [...(sampled.get(no)?.values() ?? [])].map(({ lastMs }) => lastMs);
  const anchors = members.map(timesOf).find((times) => times.length > 0)!;
  const membersAt = (timeMs: number) =>
    members.filter((no) => timesOf(no).some((otherMs) => isAt(otherMs, timeMs))).length;
  return anchors.reduce((best, timeMs) => {
    const difference = membersAt(timeMs) - membersAt(best);
    return difference > 0 || (difference === 0 && timeMs > best) ? timeMs : best;
  });
}

function isAt(timeMs: number, readingMs: number): boolean {
  return Math.abs(timeMs - readingMs) <= longestReadingMs;
}
