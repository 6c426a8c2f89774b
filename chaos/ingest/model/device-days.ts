import type { LocalDays } from '@tributary/rig';
import type { DeviceKind } from '../upload.ts';
import type { Normalized, Reading, Session } from './normalized.ts';
import { mainOf } from './sessions.ts';

/** `date metric` → millionths, for one device. */
export type DeviceDays = Map<string, number>;

/** The values that one device reports for each day. */
export function deviceDays(model: Normalized, device: DeviceKind, days: LocalDays): DeviceDays {
  const values: DeviceDays = new Map();
  addHeartRates(values, dated(model, device, 'heart_rate', days));
  for (const [date, readings] of dated(model, device, 'steps', days))
    values.set(
      `${date} steps`,
      readings.reduce((sum, { micros }) => sum + micros, 0),
    );
  for (const [date, readings] of dated(model, device, 'weight', days))
    values.set(`${date} weight`, readings.reduce((last, one) => (one.atMs > last.atMs ? one : last)).micros);
  for (const [key, { micros }] of model.totals) {
    const [of, metric, date] = key.split(' ');
    if (of === device) values.set(`${date} ${metric}`, micros);
  }
  const own = (sessions: Map<string, Session | null>, instant: 'startMs' | 'endMs') =>
    Map.groupBy(
      [...sessions.values()].filter((session) => session?.device === device) as Session[],
      (session) => days.dateOf(session[instant]),
    );
  for (const [date, sessions] of own(model.sleep, 'endMs')) addSleep(values, date, sessions);
  for (const [date, workouts] of own(model.workouts, 'startMs')) {
    const distances = workouts.map(({ numbers }) => Math.round(numbers['distance']! * 1e6));
    values.set(
      `${date} running`,
      distances.reduce((sum, distance) => sum + distance, 0),
    );
  }
  return values;
}

type Dated = Reading & { atMs: number; micros: number };

function dated(model: Normalized, device: DeviceKind, metric: string, days: LocalDays): Map<string, Dated[]> {
  const byDate = new Map<string, Dated[]>();
  for (const [atMs, reading] of model.readings.get(`${device} ${metric}`) ?? []) {
    if (reading.micros === null) continue;
    const date = days.dateOf(atMs);
    const ofDate = byDate.get(date);
    const entry = { ...reading, micros: reading.micros, atMs };
    if (ofDate) ofDate.push(entry);
    else byDate.set(date, [entry]);
  }
  return byDate;
}

/** Every minute with readings has the same weight, however many readings it has. Also adds the lowest and highest minute. */
function addHeartRates(values: DeviceDays, byDate: Map<string, Dated[]>): void {
  for (const [date, readings] of byDate) {
    const minutes = Map.groupBy(readings, ({ atMs }) => Math.floor(atMs / 60_000));
    const means = [...minutes.values()].map(
      (ofMinute) => ofMinute.reduce((sum, { micros }) => sum + micros, 0) / ofMinute.length,
    );
    values.set(`${date} heart_rate`, means.reduce((sum, mean) => sum + mean, 0) / means.length);
    values.set(
      `${date} heart_rate_min`,
      means.reduce((a, b) => Math.min(a, b)),
    );
    values.set(
      `${date} heart_rate_max`,
      means.reduce((a, b) => Math.max(a, b)),
    );
  }
}

const summed = {
  asleep: 'asleep',
  time_in_bed: 'in_bed',
  time_awake: 'awake',
  light_sleep: 'light',
  deep_sleep: 'deep',
  REM: 'rem',
};

function addSleep(values: DeviceDays, date: string, sessions: readonly Session[]): void {
  for (const [metric, field] of Object.entries(summed))
    values.set(`${date} ${metric}`, sumOf(sessions, field));
  const main = mainOf(sessions);
  if (main) values.set(`${date} sleep_efficiency`, (1e8 * main.numbers['asleep']!) / main.numbers['in_bed']!);
  const naps = sessions.filter((session) => session !== main);
  if (naps.length > 0) values.set(`${date} nap_time`, sumOf(naps, 'asleep'));
  const measured = main ?? (sessions.length === 1 ? sessions[0]! : null);
  const bpm = measured?.numbers['sleep_heart_rate'];
  if (bpm !== undefined) values.set(`${date} sleep_heart_rate`, bpm * 1e6);
}

function sumOf(sessions: readonly Session[], field: string): number {
  return sessions.reduce((total, { numbers }) => total + numbers[field]! * 1e6, 0);
}
