import {
  canonicalSleepValues,
  canonicalWorkoutValues,
  compareDevices,
  distancesOfShownWorkouts,
  findMetric,
  isEnabled,
  metricOf,
  rankForSession,
  sleepDayMetrics,
  valuesOfShownSleep,
  workoutDayMetrics,
  type CanonicalValue,
  type DayNumber,
  type Method,
  type Metric,
  type ShownSleep,
  type SportType,
} from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { readCanonicalSessions, type CanonicalSession } from '../../store/layers/canonical-sessions.ts';
import type { SessionKind } from '../../store/layers/device-sessions.ts';
import type { DayOfSessions, UserState } from './user-state.ts';

/** A shown session without its identity. */
type Shown = Pick<CanonicalSession, 'deviceNo' | 'startMs' | 'endMs' | 'isMain' | 'content'>;

const dayMetrics: Readonly<Record<SessionKind, ReadonlySet<number>>> = {
  sleep: new Set(sleepDayMetrics),
  workout: new Set(workoutDayMetrics),
};

/** What the shown sessions of a day say about it. */
export function dayOfSessions(
  state: UserState,
  kind: SessionKind,
  day: DayNumber,
  shown: readonly Shown[],
): DayOfSessions {
  if (kind === 'sleep') {
    const sessions = shown as readonly ShownSleep[];
    const [main = null] = sessions.length === 1 ? sessions : sessions.filter(({ isMain }) => isMain);
    const values = new Map([
      ...valuesOfShownSleep(sessions),
      ...computed(canonicalSleepValues(sessions, day, state.user.timezones)),
    ]);
    return { values, devices: sessions.map(({ deviceNo }) => deviceNo), mainDevice: main?.deviceNo ?? null };
  }
  const workouts = shown as readonly (Shown & { content: WorkoutContent })[];
  const distances = distancesOfShownWorkouts(
    workouts,
    (metricNo, deviceNo) => isEnabledDevice(state, metricOf(metricNo), deviceNo),
    (a, b) => compareDevices(rankedForWorkouts(state, a), rankedForWorkouts(state, b)),
  );
  const counts = computed(canonicalWorkoutValues(workouts.map(({ content }) => content)));
  const devices = workouts.map(({ deviceNo }) => deviceNo);
  return { values: new Map([...distances, ...counts]), devices, mainDevice: null };
}

interface WorkoutContent {
  sport: SportType;
  values: Readonly<Record<string, number>>;
}

/** Values that belong to no device. */
function computed(values: ReadonlyMap<number, number>): [number, CanonicalValue][] {
  return [...values].map(([metricNo, micros]) => [metricNo, { micros, source: 0, contributors: [] }]);
}

/** Loads the shown sessions of stale days whose metrics may come from them, unless they are in memory. */
export async function loadSessionDays(tx: Queryable, state: UserState): Promise<void> {
  for (const kind of ['sleep', 'workout'] as const) {
    const known = state.sessionDays[kind];
    const days = [...state.stale]
      .filter(([day, metrics]) => !known.has(day) && [...metrics].some((no) => dayMetrics[kind].has(no)))
      .map(([day]) => day);
    if (days.length === 0) continue;
    const range = { from: Math.min(...days), to: Math.max(...days) };
    const byDay = Map.groupBy(
      await readCanonicalSessions(tx, kind, state.user.userId, range),
      ({ day }) => day,
    );
    for (const day of days) known.set(day, dayOfSessions(state, kind, day, byDay.get(day) ?? []));
  }
}

/**
 * The value that the shown sessions of a day give a metric. Null if they give none. Sleep obeys the method, because the sessions are already
 * the choice by priority. Workouts do not: every one counts once.
 */
export function sessionValueOf(
  state: UserState,
  day: DayNumber,
  metricNo: number,
  method: Method,
): CanonicalValue | null {
  const kind = isOfSleep(metricNo) ? 'sleep' : 'workout';
  if (kind === 'sleep' && method !== 'priority') return null;
  const value = dayMetrics[kind].has(metricNo) && state.sessionDays[kind].get(day)?.values.get(metricNo);
  if (!value || !isEnabledDevice(state, metricOf(metricNo), value.source)) return null;
  return value;
}

/**
 * Whether the sessions of a single device count for a metric. Sessions that are not shown belong to one that is, possibly of another day, so
 * they only complete days with shown sessions: vitals that the main sleep does not have, and distances if a shown workout is of an excluded
 * device.
 */
export function countsOwnSessions(state: UserState, day: DayNumber, metric: Metric, method: Method): boolean {
  const { sleep, workout } = state.sessionDays;
  if (!isOfSleep(metric.no))
    return workout.get(day)?.devices.some((deviceNo) => !isEnabledDevice(state, metric, deviceNo)) ?? false;
  if (method !== 'priority') return true;
  if (metric.group === 'sleep_stages' || metric.no === napTime) return false;
  return (sleep.get(day)?.values.size ?? 0) > 0;
}

/** Whether sleep sessions can give a metric. */
export function isOfSleep(metricNo: number): boolean {
  return dayMetrics.sleep.has(metricNo);
}

const napTime = findMetric('nap_time')!.no;

/**
 * The device of a night, if it must also provide this metric: sleep stages always, and other groups of which it measured anything. Null if
 * the metric may come from another device.
 */
export function nightDeviceFor(state: UserState, day: DayNumber, metric: Metric): number | null {
  const night = isOfSleep(metric.no) ? state.sessionDays.sleep.get(day) : undefined;
  if (!night || night.mainDevice === null || !isEnabledDevice(state, metric, night.mainDevice)) return null;
  const isOfNight =
    metric.group === 'sleep_stages' ||
    (metric.group !== null && [...night.values.keys()].some((no) => metricOf(no).group === metric.group));
  return isOfNight ? night.mainDevice : null;
}

function isEnabledDevice(state: UserState, metric: Metric, deviceNo: number): boolean {
  const device = state.devices.find((known) => known.deviceNo === deviceNo);
  return device !== undefined && isEnabled(state.user.settings, metric, device.provider);
}

function rankedForWorkouts(state: UserState, deviceNo: number) {
  const device = state.devices.find((known) => known.deviceNo === deviceNo)!;
  return { device, rank: rankForSession('workout', device) };
}
