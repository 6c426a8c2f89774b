import { type Aggregation, findMetric } from '@tributary/domain';
import type { LocalDays } from '@tributary/rig';
import type { ModelDevice, Normalized, Sample } from './normalized.ts';
import { mainOf, withoutOwnOverlaps, type ModelSleep, type SleepNumbers } from './sleep.ts';
import { distanceIn, keepWorkouts, type ModelWorkout } from './workouts.ts';

/** The value that a device reports for a metric and date. */
interface DeviceReading {
  micros: number;
  unitCode: number;
}

/** `date metric` → reading. */
export type DeviceReadings = Map<string, DeviceReading>;

/** Metrics that also follow from the samples of another metric. */
const derivedMetrics: Record<string, [metric: string, takes: Aggregation][]> = {
  heart_rate: [
    ['heart_rate_min', 'min'],
    ['heart_rate_max', 'max'],
  ],
  blood_oxygen: [['blood_oxygen_min', 'min']],
  blood_glucose: [
    ['blood_glucose_min', 'min'],
    ['blood_glucose_max', 'max'],
  ],
};

/** Everything that one device reports: its own totals, else its samples, else those of a related metric, else its sessions. */
export function readingsOf(
  device: ModelDevice,
  { totals }: Pick<Normalized, 'totals'>,
  samples: ReadonlyMap<string, ReadonlyMap<string, readonly Sample[]>>,
  sleep: readonly ModelSleep[],
  workouts: readonly ModelWorkout[],
): DeviceReadings {
  const readings: DeviceReadings = new Map();
  const add = (key: string, reading: DeviceReading) => {
    if (!readings.has(key)) readings.set(key, reading);
  };
  const addIfPlausible = (date: string, metricId: string, reading: DeviceReading) => {
    const { min, max } = findMetric(metricId)!;
    if (reading.micros >= min * 1e6 && reading.micros <= max * 1e6) add(`${date} ${metricId}`, reading);
  };
  for (const [key, total] of totals) {
    const [no, date, metric] = key.split(' ');
    if (Number(no) === device.no) add(`${date} ${metric}`, total);
  }
  for (const [metricId, byDate] of samples)
    for (const [date, ofDate] of byDate)
      addIfPlausible(date, metricId, take(findMetric(metricId)!.aggregation, ofDate));
  for (const [metricId, byDate] of samples)
    for (const [also, takes] of derivedMetrics[metricId] ?? [])
      for (const [date, ofDate] of byDate) addIfPlausible(date, also, take(takes, ofDate));
  for (const [date, sessions] of Map.groupBy(sleep, (session) => session.date))
    for (const [metricId, value] of sleepValues(sessions))
      addIfPlausible(date, metricId, { micros: Math.round(value * 1e6), unitCode: 0 });
  for (const [date, ofDate] of Map.groupBy(workouts, (workout) => workout.date)) {
    const distances = new Map<string, number>();
    for (const workout of keepWorkouts(ofDate)) {
      const [metricId, micros] = distanceIn(workout) ?? ['', 0];
      if (metricId !== '') distances.set(metricId, (distances.get(metricId) ?? 0) + micros);
    }
    for (const [metricId, micros] of distances) addIfPlausible(date, metricId, { micros, unitCode: 0 });
  }
  return readings;
}

/** The samples of a device by metric and local date, in order of time. */
export function samplesByDate(
  device: ModelDevice,
  { samples }: Pick<Normalized, 'samples'>,
  days: LocalDays,
): Map<string, Map<string, Sample[]>> {
  const byMetric = new Map<string, Map<string, Sample[]>>();
  for (const [key, list] of samples) {
    const [no, metric] = key.split(' ') as [string, string];
    if (Number(no) === device.no)
      byMetric.set(
        metric,
        Map.groupBy(list, ({ atMs }) => days.dateOf(atMs)),
      );
  }
  return byMetric;
}

/** Aggregates a day. A mean is taken over minutes: a minute with readings counts once, and a longer reading counts for as long as it lasts. */
function take(takes: Aggregation, samples: readonly Sample[]): DeviceReading {
  const last = samples.at(-1)!;
  const { unitCode } = last;
  if (takes === 'last') return { micros: last.micros, unitCode };
  if (takes === 'sum') return { micros: samples.reduce((sum, { micros }) => sum + micros, 0), unitCode };
  const weightedMeans: { mean: number; minutes: number }[] = [];
  const short = samples.filter(({ durationMs }) => durationMs <= 60_000);
  for (const ofMinute of Map.groupBy(short, ({ atMs }) => Math.floor(atMs / 60_000)).values())
    weightedMeans.push({
      mean: ofMinute.reduce((sum, { micros }) => sum + micros, 0) / ofMinute.length,
      minutes: 1,
    });
  for (const { micros, durationMs } of samples)
    if (durationMs > 60_000) weightedMeans.push({ mean: micros, minutes: durationMs / 60_000 });
  const means = weightedMeans.map(({ mean }) => mean);
  if (takes === 'min') return { micros: Math.min(...means), unitCode };
  if (takes === 'max') return { micros: Math.max(...means), unitCode };
  const minutes = weightedMeans.reduce((sum, one) => sum + one.minutes, 0);
  return { micros: weightedMeans.reduce((sum, one) => sum + one.mean * one.minutes, 0) / minutes, unitCode };
}

const added: Record<string, keyof SleepNumbers> = {
  asleep: 'asleep',
  time_in_bed: 'inBed',
  time_awake: 'awake',
  light_sleep: 'light',
  deep_sleep: 'deep',
  REM: 'rem',
};
const ofMain: Record<string, keyof SleepNumbers> = {
  sleep_efficiency: 'efficiency',
  sleep_latency: 'latency',
  wake_after_sleep_onset: 'wakeAfterOnset',
  latency_to_arising: 'latencyToArising',
  awakenings: 'awakenings',
};
const vitals =
  'sleep_heart_rate sleep_heart_rate_min sleep_heart_rate_variability sleep_respiratory_rate sleep_blood_oxygen ' +
  'sleep_blood_oxygen_min sleep_cycles sleep_restlessness oxygen_desaturation_index breathing_disturbances ' +
  'apnea_hypopnea_index snoring_time sleep_body_temperature sleep_skin_temperature sleep_wrist_temperature device_sleep_score';

/** The values of a date that follow from one device's sleep sessions that end on it. */
function sleepValues(sessions: readonly ModelSleep[]): Map<string, number> {
  const values = new Map<string, number>();
  const set = (metric: string, value: number | null | undefined) => {
    if (value !== null && value !== undefined) values.set(metric, value);
  };
  const sessionsWithoutOverlap = withoutOwnOverlaps(sessions);
  const main = mainOf(sessionsWithoutOverlap);
  for (const [metric, field] of Object.entries(added)) set(metric, sumOf(sessionsWithoutOverlap, field));
  for (const [metric, field] of Object.entries(ofMain)) set(metric, main?.numbers[field]);
  const naps = sessionsWithoutOverlap.filter((session) => session !== main);
  set('nap_time', sumOf(naps, 'asleep'));
  const measured = main ?? (sessionsWithoutOverlap.length === 1 ? sessionsWithoutOverlap[0]! : null);
  for (const metric of vitals.split(' ')) set(metric, measured?.content.vitals[metric]);
  return values;
}

function sumOf(sessions: readonly ModelSleep[], field: keyof SleepNumbers): number | null {
  const known = sessions.map(({ numbers }) => numbers[field]).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
