import { findMetric, metricOf, metrics } from '../catalog/catalog.ts';
import type { Metric } from '../catalog/metric.ts';
import { roundTo } from '../round.ts';
import { valueOfDay, type DayReading, type DeviceDay } from './device-day.ts';

/** Groups and metrics for which one reading represents the day, however often a device measures. */
const spotGroups: ReadonlySet<string> = new Set(['blood_pressure', 'spirometry']);
const spotMetrics: ReadonlySet<string> = new Set([
  'body_temperature',
  'blood_ketones',
  'blood_lactate',
  'blood_alcohol',
]);

/** Energy and time that a device estimates without being worn. */
const estimatedWithoutWear: ReadonlySet<string> = new Set([
  'resting_energy',
  'total_energy',
  'sedentary_time',
]);

const asleep = numberOf('asleep');
const timeInBed = numberOf('time_in_bed');
const heartMetrics = ['heart_rate', 'heart_rate_min', 'heart_rate_max', 'resting_heart_rate'].map(numberOf);
const signsOfWear: ReadonlySet<number> = new Set(
  metrics
    .filter((metric) => isCountedMovement(metric) && !estimatedWithoutWear.has(metric.id))
    .map(({ no }) => no),
);

/** A local day, as instants. */
export interface DaySpan {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * The share of a day, from 0 to 1, that a device observed for a metric. A total without samples covers the day, for counted movement up to
 * the time it was reported. A reading of something that is measured at single moments, such as weight, covers the whole day. No movement from
 * a device that was not worn covers nothing.
 */
export function coverageOf(
  day: DeviceDay,
  metricNo: number,
  { micros, from, observedMs }: DayReading,
  { startMs, endMs }: DaySpan,
): number {
  const metric = metricOf(metricNo);
  if (micros === 0 && isOfUnwornDevice(day, metric)) return 0;
  if (isMeasuredAtMoments(metric)) return 1;
  if (observedMs !== null) return Math.min(1, observedMs / (endMs - startMs));
  const isCount = from === 'reported' && isCountedMovement(metric);
  const reportedMs = isCount ? day.reported.get(metricNo)!.owner.createdMs : endMs;
  // Only a wrong clock reports a total of a day that has not begun.
  return reportedMs > startMs && reportedMs < endMs ? (reportedMs - startMs) / (endMs - startMs) : 1;
}

/** How long a device recorded sleep that ends on the day: the time asleep, else in bed, in millionths of a minute. Null if it is not known. */
export function recordedSleep({ fromSessions }: DeviceDay): number | null {
  return fromSessions.get(asleep) ?? fromSessions.get(timeInBed) ?? null;
}

/** Whether a device counted nothing of a metric and was not worn. */
export function isUnworn(day: DeviceDay, metricNo: number): boolean {
  return valueOfDay(day, metricNo) === 0 && isOfUnwornDevice(day, metricOf(metricNo));
}

function isOfUnwornDevice(day: DeviceDay, metric: Metric): boolean {
  return isCountedMovement(metric) && !showsWear(day);
}

/** The coverage for display. Null if the value comes from sessions, which have their own length. */
export function shownCoverage(
  day: DeviceDay,
  metricNo: number,
  reading: DayReading,
  span: DaySpan,
): number | null {
  return reading.from === 'sessions' ? null : roundTo(coverageOf(day, metricNo, reading, span), 3);
}

/** Whether one reading represents the day: the latest weight, a blood pressure, a meal. */
function isMeasuredAtMoments({ id, kind, group, category }: Metric): boolean {
  return (
    kind === 'latest' ||
    category === 'Nutrition' ||
    category === 'Reproductive Health' ||
    (group !== null && spotGroups.has(group)) ||
    spotMetrics.has(id)
  );
}

/** Whether a device was worn: it measured a heart rate, reported wear time or counted any movement. */
export function showsWear(day: DeviceDay): boolean {
  if (heartMetrics.some((no) => valueOfDay(day, no) !== null)) return true;
  for (const no of countsOf(day)) if (signsOfWear.has(no) && valueOfDay(day, no)! > 0) return true;
  return false;
}

/** The counts whose coverage depends on whether the device was worn: those of nothing. */
export function countsOfNothing(day: DeviceDay): number[] {
  return [...countsOf(day)].filter((no) => valueOfDay(day, no) === 0);
}

/** All counts of movement in a day. */
function countsOf({ reported, sampled, fromSessions }: DeviceDay): Set<number> {
  const present = [...reported.keys(), ...sampled.keys(), ...fromSessions.keys()];
  return new Set(present.filter((no) => isCountedMovement(metricOf(no))));
}

/** Counts of movement, its time and its energy. Wear time is among them. */
function isCountedMovement({ aggregation, category }: Metric): boolean {
  return aggregation === 'sum' && (category === 'Activity' || category === 'Energy');
}

function numberOf(id: string): number {
  return findMetric(id)!.no;
}
