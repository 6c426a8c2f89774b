import type { LocalDays } from '@tributary/rig';
import type { DeviceKind } from '../upload.ts';
import type { Normalized, Reading, Session } from './normalized.ts';
import { mainOf } from './sessions.ts';
import { stepsOf, type StepsOfDate } from './steps.ts';

/** The data of one device for each day. */
export interface DeviceDays {
  /** `date metric` → millionths. */
  values: Map<string, number>;
  /** `date` → quarters of an hour with a heart rate. */
  quarters: Map<string, number>;
  steps: Map<string, StepsOfDate>;
  /** The dates of workouts with a distance. */
  sports: Set<string>;
  /** All dates with any data. */
  dates: Set<string>;
}

/** The values that one device reports for each day. */
export function deviceDays(model: Normalized, device: DeviceKind, days: LocalDays): DeviceDays {
  const values = new Map<string, number>();
  const heartRates = dated(model, device, 'heart_rate', days);
  addHeartRates(values, heartRates);
  for (const [date, readings] of dated(model, device, 'weight', days))
    values.set(`${date} weight`, readings.reduce((last, one) => (one.atMs > last.atMs ? one : last)).micros);
  const steps = stepsOf(model, device, days);
  for (const [date, { micros }] of steps) values.set(`${date} steps`, micros);
  const own = (sessions: Map<string, Session | null>, instant: 'startMs' | 'endMs') =>
    Map.groupBy(
      [...sessions.values()].filter((session) => session?.device === device) as Session[],
      (session) => days.dateOf(session[instant]),
    );
  const sleep = own(model.sleep, 'endMs');
  for (const [date, sessions] of sleep) {
    const bpm = measuredIn(sessions)?.numbers['sleep_heart_rate'];
    if (bpm !== undefined) values.set(`${date} sleep_heart_rate`, bpm * 1e6);
  }
  const workouts = own(model.workouts, 'startMs');
  const sports = [...workouts].filter(([, ofDate]) => ofDate.some(({ numbers }) => numbers['distance']! > 0));
  const dates = [...values.keys()].map((key) => key.split(' ')[0]!);
  return {
    values,
    quarters: new Map([...heartRates].map(([date, readings]) => [date, countQuarters(readings)])),
    steps,
    sports: new Set(sports.map(([date]) => date)),
    dates: new Set([...dates, ...sleep.keys(), ...workouts.keys()]),
  };
}

/** The session whose measurements count: the main one, or the only one. */
export function measuredIn<S extends Session>(sessions: readonly S[]): S | null {
  return mainOf(sessions) ?? (sessions.length === 1 ? sessions[0]! : null);
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

function countQuarters(readings: readonly Dated[]): number {
  return new Set(readings.map(({ atMs }) => Math.floor(atMs / 900_000))).size;
}

/** Every minute with readings has the same weight, however many readings it has. Also adds the lowest and highest minute. */
function addHeartRates(values: Map<string, number>, byDate: Map<string, Dated[]>): void {
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
