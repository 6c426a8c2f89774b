import {
  dateOf,
  fieldsOf,
  idOf,
  instantOf,
  listOf,
  minutesOfSeconds,
  numberOf,
  offsetOf,
  type Fields,
} from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { readRegularSeries } from './regular-series.ts';
import { readPhases } from './sleep-phases.ts';

/** Sleeps by day, as collected by `readSleep`. Daily values come from the main sleep of the day. */
export function mapSleep(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const { day, sleeps } = fieldsOf(document);
    const all = listOf(sleeps).map(fieldsOf);
    for (const sleep of all) {
      if (isWithdrawn(sleep)) batch.addDeletion('sleep', idOf(sleep['id']));
      else addSleep(sleep, batch);
    }
    const main = mainOf(all);
    if (!main) continue;
    batch.addDaily(dateOf(day), 'resting_heart_rate', numberOf(main['lowest_heart_rate']));
    batch.addDaily(dateOf(day), 'heart_rate_variability_rmssd', numberOf(main['average_hrv']));
  }
}

/** The user deleted it or marked it as rest. */
function isWithdrawn({ type }: Fields): boolean {
  return type === 'deleted' || type === 'rest';
}

/** `day` is not used: Oura counts a nap late in the day to the next day, and we count it to the day on which it ends. */
function addSleep(sleep: Fields, batch: BatchBuilder): void {
  const startMs = instantOf(sleep['bedtime_start']);
  batch.addSleep({
    id: idOf(sleep['id']),
    startMs,
    endMs: instantOf(sleep['bedtime_end']),
    offset: offsetOf(sleep['bedtime_end']),
    stages: startMs === null ? [] : readPhases(sleep, startMs),
    minutes: {
      asleep: minutesOfSeconds(sleep['total_sleep_duration']),
      deep: minutesOfSeconds(sleep['deep_sleep_duration']),
      light: minutesOfSeconds(sleep['light_sleep_duration']),
      rem: minutesOfSeconds(sleep['rem_sleep_duration']),
      awake: minutesOfSeconds(sleep['awake_time']),
      in_bed: minutesOfSeconds(sleep['time_in_bed']),
    },
    vitals: {
      sleep_latency: minutesOfSeconds(sleep['latency']),
      sleep_heart_rate: numberOf(sleep['average_heart_rate']),
      sleep_heart_rate_min: numberOf(sleep['lowest_heart_rate']),
      sleep_heart_rate_variability: numberOf(sleep['average_hrv']),
      sleep_respiratory_rate: numberOf(sleep['average_breath']),
    },
  });
  batch.addSeries({ metric: 'heart_rate', ...readRegularSeries(sleep['heart_rate']) });
  batch.addSeries({ metric: 'heart_rate_variability_rmssd', ...readRegularSeries(sleep['hrv']) });
}

/** The longest long sleep of a day. Shorter ones do not represent the day. */
function mainOf(sleeps: readonly Fields[]): Fields | null {
  const long = sleeps.filter(({ type }) => type === 'long_sleep');
  return long.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0] ?? null;
}

function lengthOf(sleep: Fields): number {
  return (instantOf(sleep['bedtime_end']) ?? 0) - (instantOf(sleep['bedtime_start']) ?? 0);
}
