import { type Aggregation, findMetric } from '@tributary/domain';
import type { LocalDays } from '@tributary/rig';
import type { Calendar } from './day-bounds.ts';
import { membersAtOnce, partsOfMeasurements } from './measurements.ts';
import type { ModelDevice, Normalized, Total } from './normalized.ts';
import { isLong, observedMs, partsByDate, type DeviceParts, type Part } from './parts.ts';
import { addedMetrics, mainMetrics, vitalMetrics } from './sleep-metrics.ts';
import { mainOf, withoutOwnOverlaps, type ModelSleep, type SleepNumbers } from './sleep.ts';
import { distanceIn, keepWorkouts, type ModelWorkout } from './workouts.ts';

/** The value that a device reports for a metric and date. */
interface DeviceReading {
  micros: number;
  unitCode: number;
  from: 'total' | 'samples' | 'sessions';
  /** The time of the day that its samples cover. Null without plausible samples, and if its total is more than twice as large. */
  observedMs: number | null;
  /** When its total was reported, if it is a total. */
  totalAtMs: number | null;
}

/** `date metric` → reading. */
export type DeviceReadings = Map<string, DeviceReading>;

/** The metrics from whose samples another metric follows if it has none of its own. */
const derivedFrom: Record<string, [metric: string, takes: Aggregation]> = {
  heart_rate_min: ['heart_rate', 'min'],
  heart_rate_max: ['heart_rate', 'max'],
  blood_oxygen_min: ['blood_oxygen', 'min'],
  blood_glucose_min: ['blood_glucose', 'min'],
  blood_glucose_max: ['blood_glucose', 'max'],
};

/** Everything that one device reports: its own totals, else its samples, else those of a related metric, else its sessions. */
export function readingsOf(
  device: ModelDevice,
  { totals }: Pick<Normalized, 'totals'>,
  parts: DeviceParts,
  sessionValues: ReadonlyMap<string, number>,
  calendar: Calendar,
): DeviceReadings {
  const ownTotals = new Map<string, Total>();
  for (const [key, total] of totals) {
    const [no, date, metric] = key.split(' ');
    if (Number(no) === device.no) ownTotals.set(`${date} ${metric}`, total);
  }
  const keys = new Set([...ownTotals.keys(), ...sessionValues.keys()]);
  for (const [metricId, byDate] of parts)
    for (const date of byDate.keys()) {
      keys.add(`${date} ${metricId}`);
      for (const [also, [from]] of Object.entries(derivedFrom))
        if (from === metricId) keys.add(`${date} ${also}`);
    }
  const readings: DeviceReadings = new Map();
  for (const key of keys) {
    const [date, metricId] = key.split(' ') as [string, string];
    const total = ownTotals.get(key);
    const sampled = sampledOn(parts, date, metricId, calendar);
    const fromSessions = sessionValues.get(key);
    if (total && !(sampled && isOutdated(total, sampled)))
      readings.set(key, {
        ...total,
        from: 'total',
        observedMs: isFarMore(total, sampled) ? null : (sampled?.observedMs ?? null),
        totalAtMs: total.createdMs,
      });
    else if (sampled) readings.set(key, sampled);
    else if (fromSessions !== undefined && isPlausible(metricId, fromSessions))
      readings.set(key, {
        micros: fromSessions,
        unitCode: 0,
        from: 'sessions',
        observedMs: null,
        totalAtMs: null,
      });
  }
  return readings;
}

interface Sampled extends DeviceReading {
  /** The latest end of a count. Null if the samples are not counts. */
  countedUntilMs: number | null;
}

/** Whether the counts are less than half of a total. */
function isFarMore({ micros }: Total, sampled: Sampled | null): boolean {
  return sampled !== null && sampled.countedUntilMs !== null && sampled.micros * 2 < micros;
}

/** Whether a device counted more than a total after it reported the total. */
function isOutdated({ micros, createdMs }: Total, sampled: Sampled): boolean {
  const { countedUntilMs } = sampled;
  return countedUntilMs !== null && countedUntilMs > createdMs && sampled.micros > micros;
}

function isPlausible(metricId: string, micros: number): boolean {
  const { min, max } = findMetric(metricId)!;
  return micros >= min * 1e6 && micros <= max * 1e6;
}

/** The value of a date that follows from samples of the metric, else of a related metric. */
function sampledOn(parts: DeviceParts, date: string, metricId: string, calendar: Calendar): Sampled | null {
  const own: [string, Aggregation] = [metricId, findMetric(metricId)!.aggregation];
  for (const [from, takes] of [own, ...(derivedFrom[metricId] ? [derivedFrom[metricId]] : [])]) {
    const used =
      membersAtOnce(from).length > 0
        ? partsOfMeasurements(parts, date, from)
        : (parts.get(from)?.get(date) ?? []);
    if (used.length === 0) continue;
    const micros = take(takes, used);
    if (!isPlausible(metricId, micros)) continue;
    return {
      micros,
      unitCode: used.at(-1)!.sample.unitCode,
      from: 'samples',
      observedMs: observedMs(findMetric(from)!.aggregation, used, calendar.boundsOf(date)),
      totalAtMs: null,
      countedUntilMs: takes === 'sum' ? Math.max(...used.map(({ endMs }) => endMs)) : null,
    };
  }
  return null;
}

/** `date metric` → the total that a device reported. */
export function totalsOf(
  { no }: ModelDevice,
  { totals }: Pick<Normalized, 'totals'>,
): ReadonlyMap<string, number> {
  const own = [...totals].filter(([key]) => key.startsWith(`${no} `));
  return new Map(own.map(([key, { micros }]) => [key.slice(`${no} `.length), micros]));
}

/** The readings of a device by metric and local date, in order of time. */
export function partsOfDevice(
  device: ModelDevice,
  { samples }: Pick<Normalized, 'samples'>,
  calendar: Calendar,
): DeviceParts {
  const byMetric = new Map<string, Map<string, Part[]>>();
  for (const [key, list] of samples) {
    const [no, metric] = key.split(' ') as [string, string];
    if (Number(no) === device.no) byMetric.set(metric, partsByDate(findMetric(metric)!, list, calendar));
  }
  return byMetric;
}

/** Aggregates a day. A mean is taken over minutes: a minute with readings counts once, and a longer reading counts for as long as it lasts. */
function take(takes: Aggregation, parts: readonly Part[]): number {
  if (takes === 'last') return parts.at(-1)!.micros;
  if (takes === 'sum') return parts.reduce((sum, { micros }) => sum + micros, 0);
  const weightedMeans: { mean: number; minutes: number }[] = [];
  const short = parts.filter((part) => !isLong(part));
  for (const ofMinute of Map.groupBy(short, ({ startMs }) => Math.floor(startMs / 60_000)).values())
    weightedMeans.push({
      mean: ofMinute.reduce((sum, { micros }) => sum + micros, 0) / ofMinute.length,
      minutes: 1,
    });
  for (const { micros, startMs, endMs } of parts.filter(isLong))
    weightedMeans.push({ mean: micros, minutes: (endMs - startMs) / 60_000 });
  const means = weightedMeans.map(({ mean }) => mean);
  if (takes === 'min') return Math.min(...means);
  if (takes === 'max') return Math.max(...means);
  const minutes = weightedMeans.reduce((sum, one) => sum + one.minutes, 0);
  return weightedMeans.reduce((sum, one) => sum + one.mean * one.minutes, 0) / minutes;
}

/** `date metric` → the value that follows from one device's sessions, in millionths of the unit. */
export function valuesOfSessions(
  sleep: readonly ModelSleep[],
  workouts: readonly ModelWorkout[],
  clock: LocalDays,
): Map<string, number> {
  const values = new Map<string, number>();
  for (const [date, sessions] of Map.groupBy(sleep, (session) => session.date))
    for (const [metricId, value] of sleepValues(sessions, clock))
      values.set(`${date} ${metricId}`, Math.round(value * 1e6));
  for (const [date, ofDate] of Map.groupBy(workouts, (workout) => workout.date))
    for (const workout of keepWorkouts(ofDate)) {
      const distance = distanceIn(workout);
      if (!distance) continue;
      const key = `${date} ${distance.metric}`;
      values.set(key, (values.get(key) ?? 0) + distance.micros);
    }
  return values;
}

/** The values of a date that follow from one device's sleep sessions that end on it. */
function sleepValues(sessions: readonly ModelSleep[], clock: LocalDays): Map<string, number> {
  const values = new Map<string, number>();
  const set = (metric: string, value: number | null | undefined) => {
    if (value !== null && value !== undefined) values.set(metric, value);
  };
  const sessionsWithoutOverlap = withoutOwnOverlaps(sessions);
  const main = mainOf(sessionsWithoutOverlap, clock);
  for (const [metric, field] of Object.entries(addedMetrics))
    set(metric, sumOf(sessionsWithoutOverlap, field));
  for (const [metric, field] of Object.entries(mainMetrics)) set(metric, main?.numbers[field]);
  const naps = sessionsWithoutOverlap.filter((session) => session !== main);
  set('nap_time', sumOf(naps, 'asleep'));
  const measured = main ?? (sessionsWithoutOverlap.length === 1 ? sessionsWithoutOverlap[0]! : null);
  for (const metric of vitalMetrics) set(metric, measured?.content.vitals[metric]);
  return values;
}

function sumOf(sessions: readonly ModelSleep[], field: keyof SleepNumbers): number | null {
  const known = sessions.map(({ numbers }) => numbers[field]).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
