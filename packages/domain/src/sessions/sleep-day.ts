import { findMetric } from '../catalog/catalog.ts';
import type { CanonicalValue } from '../day/canonical-month.ts';
import { minutesFromMidnight } from '../days.ts';
import { toMicros } from '../samples/micros.ts';
import type { Timezones } from '../timezones.ts';
import { clusterSleep, mainOf, type SleepSession } from './cluster-sleep.ts';
import type { SleepSummary } from './summarize-sleep.ts';

/** A sleep session with its values. */
export interface SummarizedSleep extends SleepSession {
  readonly summary: SleepSummary;
  /** Metric id → value in the catalog's unit. */
  readonly vitals: Readonly<Record<string, number>>;
}

/** Metrics that add up over all sessions of a day. */
const added = {
  asleep: 'asleepMinutes',
  time_in_bed: 'inBedMinutes',
  time_awake: 'awakeMinutes',
  light_sleep: 'lightMinutes',
  deep_sleep: 'deepMinutes',
  REM: 'remMinutes',
} as const;

/** Metrics of the main sleep only. */
const ofMain = {
  sleep_efficiency: 'efficiencyPercent',
  sleep_latency: 'latencyMinutes',
  wake_after_sleep_onset: 'wakeAfterOnsetMinutes',
  latency_to_arising: 'latencyToArisingMinutes',
  awakenings: 'awakenings',
} as const;

const vitals = [
  'sleep_heart_rate',
  'sleep_heart_rate_min',
  'sleep_heart_rate_variability',
  'sleep_respiratory_rate',
  'sleep_blood_oxygen',
  'sleep_blood_oxygen_min',
  'sleep_cycles',
  'sleep_restlessness',
  'oxygen_desaturation_index',
  'breathing_disturbances',
  'apnea_hypopnea_index',
  'snoring_time',
  'sleep_body_temperature',
  'sleep_skin_temperature',
  'sleep_wrist_temperature',
  'device_sleep_score',
] as const;

const numberOf = (id: string) => findMetric(id)!.no;

/** Metrics that are computed from the times and stages of sleep sessions. */
export const summarizedSleepMetrics: readonly number[] = [
  ...Object.keys(added),
  ...Object.keys(ofMain),
  'nap_time',
].map(numberOf);

/** All metrics that sleep sessions can contribute to a device's day. */
export const sleepDayMetrics: readonly number[] = [...summarizedSleepMetrics, ...vitals.map(numberOf)];

/** The values that sleep sessions of one device contribute to the day they end on. */
export function dayOfSleep(sessions: readonly SummarizedSleep[], timezones: Timezones): Map<number, number> {
  const values = new Map<number, number>();
  const set = (id: string, value: number | null | undefined) => {
    if (value !== null && value !== undefined) values.set(numberOf(id), toMicros(value));
  };
  const shownSessions = clusterSleep(sessions).map(({ session }) => session);
  const main = mainOf(shownSessions, timezones);
  for (const [id, field] of Object.entries(added)) set(id, sumOf(shownSessions, field));
  for (const [id, field] of Object.entries(ofMain)) set(id, main?.summary[field]);
  const naps = shownSessions.filter((session) => session !== main);
  if (naps.length > 0) set('nap_time', sumOf(naps, 'asleepMinutes'));
  // If no session is long enough to be the main sleep, a single session still provides its measurements.
  const measured = main ?? (shownSessions.length === 1 ? shownSessions[0]! : null);
  for (const id of vitals) set(id, measured?.vitals[id]);
  return values;
}

/** The sum of the known values. Null if there are none. */
function sumOf(sessions: readonly SummarizedSleep[], field: AddedField): number | null {
  const known = sessions.flatMap(({ summary }) => summary[field] ?? []);
  return known.length > 0 ? known.reduce((sum, minutes) => sum + minutes, 0) : null;
}

/** A session that is shown for a day. */
export interface ShownSleep {
  readonly deviceNo: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly isMain: boolean;
  readonly content: SleepSummary & { readonly vitals: Readonly<Record<string, number>> };
}

/**
 * The values that the shown sessions of a day have together: sums over all of them, and what was measured during the main sleep. A sum is
 * unknown if it is unknown for the main sleep, so that no value is of a nap only.
 */
export function valuesOfShownSleep(sessions: readonly ShownSleep[]): Map<number, CanonicalValue> {
  const values = new Map<number, CanonicalValue>();
  const main = sessions.find(({ isMain }) => isMain) ?? null;
  const mainFirst = sessions.toSorted((a, b) => Number(b.isMain) - Number(a.isMain) || a.startMs - b.startMs);
  const setSum = (id: string, of: readonly ShownSleep[], field: AddedField) => {
    const known = of.filter(({ content }) => content[field] !== null);
    if (known.length === 0) return;
    const micros = known.reduce((sum, { content }) => sum + toMicros(content[field]!), 0);
    values.set(numberOf(id), fromDevices(micros, known));
  };
  for (const [id, field] of Object.entries(added))
    if (!main || main.content[field] !== null) setSum(id, mainFirst, field);
  setSum(
    'nap_time',
    mainFirst.filter((session) => session !== main),
    'asleepMinutes',
  );
  const measured = main ?? (sessions.length === 1 ? sessions[0]! : null);
  const setMeasured = (id: string, value: number | null | undefined) => {
    if (measured && value !== null && value !== undefined)
      values.set(numberOf(id), fromDevices(toMicros(value), [measured]));
  };
  for (const [id, field] of Object.entries(ofMain)) setMeasured(id, main?.content[field]);
  for (const id of vitals) setMeasured(id, measured?.content.vitals[id]);
  return values;
}

type AddedField = (typeof added)[keyof typeof added];

function fromDevices(micros: number, sessions: readonly { deviceNo: number }[]): CanonicalValue {
  const devices = [...new Set(sessions.map(({ deviceNo }) => deviceNo))];
  return { micros, source: devices[0]!, contributors: devices.length > 1 ? devices : [] };
}

/** All canonical values that are computed from the kept sessions of a day. */
export const canonicalSleepMetrics: readonly number[] = [
  'nap_count',
  'bedtime',
  'wake_time',
  'sleep_midpoint',
].map(numberOf);

/** The canonical values that are computed from the kept sessions of a day. */
export function canonicalSleepValues(
  sessions: readonly { startMs: number; endMs: number; isMain: boolean }[],
  day: number,
  timezones: Timezones,
): Map<number, number> {
  const values = new Map<number, number>();
  if (sessions.length === 0) return values;
  values.set(numberOf('nap_count'), toMicros(sessions.filter(({ isMain }) => !isMain).length));
  const main = sessions.find(({ isMain }) => isMain);
  if (main) {
    const clock = (instantMs: number) => toMicros(Math.round(minutesFromMidnight(instantMs, day, timezones)));
    values.set(numberOf('bedtime'), clock(main.startMs));
    values.set(numberOf('wake_time'), clock(main.endMs));
    values.set(numberOf('sleep_midpoint'), clock(Math.floor((main.startMs + main.endMs) / 2))); // a whole millisecond
  }
  return values;
}
