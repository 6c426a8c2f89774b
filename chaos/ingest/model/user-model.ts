import { LocalDays } from '@tributary/rig';
import { deviceDays, measuredIn, type DeviceDays } from './device-days.ts';
import { normalize, type CountedBatch, type Normalized } from './normalized.ts';
import { print, rankOf } from './rules.ts';
import { resolveSessions, type CanonicalSession } from './sessions.ts';
import { allSteps } from './steps.ts';

/** Everything that must be stored for one user. */
export interface UserModel {
  normalized: Normalized;
  /** `date metric` → the formatted canonical value. */
  canonicalValues: Map<string, string>;
  sleep: Map<string, CanonicalSession>;
  workouts: Map<string, CanonicalSession>;
}

/** Derives a user's data from the stored batches, independently of the service. */
export function modelUser(timezone: string, batches: readonly CountedBatch[]): UserModel {
  const days = new LocalDays(timezone);
  const normalized = normalize(batches);
  const sleep = resolveSessions(normalized.sleep, days, 'endMs');
  const workouts = resolveSessions(normalized.workouts, days, 'startMs');

  const watch = deviceDays(normalized, 'watch', days);
  const phone = deviceDays(normalized, 'phone', days);
  const micros = new Map<string, number>();
  for (const key of new Set([...watch.values.keys(), ...phone.values.keys()]))
    micros.set(key, chooseValue(key, watch, phone));
  // Sessions that are not shown only complete the values of dates with shown ones.
  const datesOfSleep = new Set([...sleep.values()].map(({ date }) => date));
  for (const key of micros.keys())
    if (key.endsWith(' sleep_heart_rate') && !datesOfSleep.has(key.split(' ')[0]!)) micros.delete(key);
  addSleepValues(micros, sleep);
  for (const [key, deep] of micros) {
    const [date, metric] = key.split(' ');
    const rem = micros.get(`${date} REM`);
    if (metric === 'deep_sleep' && rem !== undefined) micros.set(`${date} restorative_sleep`, deep + rem);
  }
  addFromSleep(micros, sleep, days);
  addFromWorkouts(micros, workouts, new Set([...watch.dates, ...phone.dates]));
  const values = new Map([...micros].map(([key, value]) => [key, print(key.split(' ')[1]!, value)]));
  return { normalized, canonicalValues: values, sleep, workouts };
}

function addFromSleep(
  micros: Map<string, number>,
  sleep: Map<string, CanonicalSession>,
  days: LocalDays,
): void {
  for (const [date, sessions] of Map.groupBy(sleep.values(), (session) => session.date)) {
    micros.set(`${date} nap_count`, sessions.filter(({ isMain }) => !isMain).length * 1e6);
    const main = sessions.find(({ isMain }) => isMain);
    if (!main) continue;
    const clock = (instantMs: number) => days.minutesFrom(date, instantMs) * 1e6;
    micros.set(`${date} bedtime`, clock(main.startMs));
    micros.set(`${date} wake_time`, clock(main.endMs));
    micros.set(`${date} sleep_midpoint`, clock((main.startMs + main.endMs) / 2));
  }
}

function addFromWorkouts(
  micros: Map<string, number>,
  workouts: Map<string, CanonicalSession>,
  dates: ReadonlySet<string>,
): void {
  for (const date of dates) micros.set(`${date} workout_count`, 0);
  for (const [date, ofDay] of Map.groupBy(workouts.values(), (workout) => workout.date)) {
    micros.set(`${date} workout_count`, ofDay.length * 1e6);
    micros.set(`${date} exercise_energy`, Math.round(sumOf(ofDay, 'active_calories')));
    micros.set(`${date} running`, Math.round(sumOf(ofDay, 'distance')));
  }
}

/** Steps of both devices together. Of other values the watch's, unless it measured the heart rate less than half as long as the phone. */
function chooseValue(key: string, watch: DeviceDays, phone: DeviceDays): number {
  const [date, metric] = key.split(' ') as [string, string];
  if (metric === 'steps') {
    const all = [watch, phone].flatMap((one) => one.steps.get(date) ?? []);
    const worn = [watch, phone].flatMap((one) => (wasWorn(one, date) ? (one.steps.get(date) ?? []) : []));
    return allSteps(worn.length > 0 ? worn : all);
  }
  const [first, second] = rankOf(metric, 'watch') < rankOf(metric, 'phone') ? [watch, phone] : [phone, watch];
  const isSampled = metric.startsWith('heart_rate');
  const isTooShort = 2 * (first.quarters.get(date) ?? 0) < (second.quarters.get(date) ?? 0);
  const value = isSampled && isTooShort ? second.values.get(key) : first.values.get(key);
  return value ?? second.values.get(key)!;
}

/** Whether a device counted anything on a date or measured a heart rate. */
function wasWorn({ values, steps, sports }: DeviceDays, date: string): boolean {
  return values.has(`${date} heart_rate`) || sports.has(date) || (steps.get(date)?.micros ?? 0) > 0;
}

const summed = {
  asleep: 'asleep',
  time_in_bed: 'in_bed',
  time_awake: 'awake',
  light_sleep: 'light',
  deep_sleep: 'deep',
  REM: 'rem',
};

/** The values of each date that follow from the sessions that the API returns. */
function addSleepValues(micros: Map<string, number>, sleep: Map<string, CanonicalSession>): void {
  for (const [date, sessions] of Map.groupBy(sleep.values(), (session) => session.date)) {
    for (const [metric, field] of Object.entries(summed))
      micros.set(`${date} ${metric}`, sumOf(sessions, field));
    const main = sessions.find(({ isMain }) => isMain);
    if (main)
      micros.set(`${date} sleep_efficiency`, (1e8 * main.numbers['asleep']!) / main.numbers['in_bed']!);
    const naps = sessions.filter((session) => session !== main);
    if (naps.length > 0) micros.set(`${date} nap_time`, sumOf(naps, 'asleep'));
    const bpm = measuredIn(sessions)?.numbers['sleep_heart_rate'];
    if (bpm !== undefined) micros.set(`${date} sleep_heart_rate`, bpm * 1e6);
  }
}

function sumOf(sessions: readonly CanonicalSession[], field: string): number {
  return sessions.reduce((total, { numbers }) => total + numbers[field]! * 1e6, 0);
}
