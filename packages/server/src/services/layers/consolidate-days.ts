import type { DeviceKind } from '@tributary/contract';
import {
  chooseDevice,
  consolidationKeyOf,
  consolidateDay,
  continuousMetrics,
  coverageOf,
  dayEndMs,
  dayStartMs,
  derivedMetrics,
  findMetric,
  fromMicros,
  isEnabled,
  measuredAtOnceWith,
  measurementOf,
  methodFor,
  metricOf,
  placeInMonth,
  readingOfDay,
  recordedSleep,
  ruleOf,
  sameValue,
  scoreInputs,
  showsUse,
  toMicros,
  type Candidate,
  type CanonicalValue,
  type ConsolidatedDay,
  type DayNumber,
  type DeviceDay,
  type Method,
  type Metric,
} from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { borrowChunks, devicesToMerge, intervalsOfDay, returnChunks } from './merged-days.ts';
import {
  countsOwnSessions,
  isOfSleep,
  loadSessionDays,
  nightDeviceFor,
  sessionValueOf,
} from './session-days.ts';
import type { Device, UserState } from './user-state.ts';

/** Days whose samples are in memory at once, recomputed without yielding. */
const daysAtOnce = 7;

/** Recomputes every stale day and metric from the device days and shown sessions, then the derived metrics. */
export async function consolidateDays(tx: Queryable, state: UserState): Promise<void> {
  markMeasurementsStale(state);
  await loadSessionDays(tx, state);
  const days = [...state.stale.keys()].sort((a, b) => a - b);
  for (let at = 0; at < days.length; at += daysAtOnce) {
    const few = days.slice(at, at + daysAtOnce);
    const borrowed = await borrowChunks(tx, state, few);
    for (const day of few) {
      await state.pace.pause();
      consolidateOne(state, day);
    }
    returnChunks(state, borrowed);
  }
  state.stale.clear();
}

/** Metrics that are measured together are decided together. */
function markMeasurementsStale(state: UserState): void {
  for (const metrics of state.stale.values())
    for (const metricNo of metrics) for (const member of measurementOf(metricNo) ?? []) metrics.add(member);
}

function consolidateOne(state: UserState, day: DayNumber): void {
  const stale = state.stale.get(day)!;
  state.measuredBy.clear();
  for (const metricNo of stale) {
    const method = methodFor(state.user.settings, metricOf(metricNo));
    if (method && !ruleOf(metricNo))
      setCanonicalValue(state, day, metricNo, decide(state, day, metricNo, method));
  }
  setWorkoutCount(state, day);
  for (const { no, from } of derivedMetrics) {
    if (!from.some((input) => stale.has(input))) continue;
    const method = methodFor(state.user.settings, metricOf(no));
    const reported = method && isReported(state, day, no) ? decide(state, day, no, method) : null;
    setCanonicalValue(state, day, no, reported ?? derive(state, day, no));
    stale.add(no); // other metrics are derived from this one
  }
}

/** Whether any device reported a metric. Much cheaper than a decision, and usually none did. */
function isReported(state: UserState, day: DayNumber, metricNo: number): boolean {
  for (const { content } of state.days.get(day)?.values() ?? [])
    if (readingOfDay(content, metricNo) !== null) return true;
  return false;
}

/** Computes a value from other canonical values of the day. */
function derive(state: UserState, day: DayNumber, metricNo: number): CanonicalValue | null {
  const value = ruleOf(metricNo)!.compute(
    (id) => {
      const { no } = findMetric(id)!;
      return canonicalValueOf(state, day, no) ?? profileValueOf(state, no);
    },
    (id) => fromMicrosOrNull(decide(state, day, findMetric(id)!.no, 'priority')),
  );
  return value === null ? null : { micros: toMicros(value), source: 0, contributors: [] };
}

/** The value of the profile that counts on days on which none was measured: the height. */
export function profileValueOf(state: UserState, metricNo: number): number | null {
  return metricNo === height.no ? state.user.heightCm : null;
}

/** Sets a canonical value and records whether it changed. */
export function setCanonicalValue(
  state: UserState,
  day: DayNumber,
  metricNo: number,
  canonicalValue: CanonicalValue | null,
): void {
  const { index } = placeInMonth(day);
  const month = state.month(metricNo, day);
  if (sameValue(month.content[index] ?? null, canonicalValue)) return;
  month.content[index] = canonicalValue;
  month.changed = true;
  state.noteChange([day], metricOf(metricNo));
  if (!scoreInputNumbers.has(metricNo)) return;
  state.scores.days.add(day);
  state.scores.prompt ||= !continuousNumbers.has(metricNo);
}

const scoreInputNumbers = new Set(scoreInputs.map((id) => findMetric(id)!.no));
const continuousNumbers = new Set(continuousMetrics.map((id) => findMetric(id)!.no));

function canonicalValueOf(state: UserState, day: DayNumber, metricNo: number): number | null {
  return fromMicrosOrNull(state.month(metricNo, day).content[placeInMonth(day).index] ?? null);
}

function fromMicrosOrNull(canonicalValue: CanonicalValue | null): number | null {
  return canonicalValue && fromMicros(canonicalValue.micros);
}

/** A device's value, whether it comes from sessions, and whether it is part of a measurement that other devices have in full. */
type DayOption = Candidate & { readonly isFromSessions: boolean; readonly isIncomplete: boolean };

/** The value of each remaining device for a metric and day, what it observed, and whether the settings enable it. */
export function candidatesOf(state: UserState, day: DayNumber, metricNo: number): DayOption[] {
  const metric = metricOf(metricNo);
  const { timezones } = state.user;
  const span = { startMs: dayStartMs(day, timezones), endMs: dayEndMs(day, timezones) };
  const merged = devicesToMerge(state, day, metricNo);
  const longestNight = longestNightOf(state, day, metric);
  const devices = devicesOfDay(state, day, metric);
  const complete = devices.filter(({ content, enabled }) => enabled && hasWholeMean(content, metric));
  const candidates: DayOption[] = [];
  for (const { device, content, enabled } of devices) {
    const reading = readingOfDay(content, metricNo);
    if (!reading) continue;
    candidates.push({
      device,
      value: reading.micros,
      enabled,
      coverage:
        reading.from === 'sessions' && longestNight > 0
          ? Math.min(1, (recordedSleep(content) ?? longestNight) / longestNight)
          : coverageOf(content, metricNo, reading, span),
      total: content.reported.get(metricNo)?.micros ?? null,
      isFromSessions: reading.from === 'sessions',
      isIncomplete: complete.length > 0 && !hasWholeMean(content, metric),
      intervals: merged.includes(device.deviceNo)
        ? intervalsOfDay(state, day, metricNo, device.deviceNo)
        : [],
    });
  }
  return candidates;
}

/** Whether a device has all values of a measurement whose mean represents the day: a blood pressure. */
function hasWholeMean(content: DeviceDay, metric: Metric): boolean {
  const members = metric.aggregation === 'avg' ? measuredAtOnceWith(metric.no) : null;
  return members !== null && members.every((no) => readingOfDay(content, no) !== null);
}

/**
 * The most sleep that an enabled device recorded for a day, in millionths of a minute, for a metric of sleep: nights are compared with each
 * other, not with the day. 0 for other metrics and without sleep.
 */
export function longestNightOf(state: UserState, day: DayNumber, metric: Metric): number {
  if (!isOfSleep(metric.no)) return 0;
  const enabled = devicesOfDay(state, day, metric).filter((one) => one.enabled);
  return Math.max(0, ...enabled.map(({ content }) => recordedSleep(content) ?? 0));
}

/** The remaining devices with data for a day, and whether the settings enable them for a metric. */
function devicesOfDay(
  state: UserState,
  day: DayNumber,
  metric: Metric,
): { device: Device; content: DeviceDay; enabled: boolean }[] {
  return [...(state.days.get(day) ?? [])].flatMap(([deviceNo, { content }]) => {
    const device = state.devices.find((known) => known.deviceNo === deviceNo && known.removedMs === null);
    return device
      ? [{ device, content, enabled: isEnabled(state.user.settings, metric, device.provider) }]
      : [];
  });
}

/** The canonical value by a method. The samples of the day must be in memory if they are merged. */
export function consolidate(
  state: UserState,
  day: DayNumber,
  metricNo: number,
  method: Method,
): ConsolidatedDay | null {
  const metric = metricOf(metricNo);
  const ofShown = sessionValueOf(state, day, metricNo, method);
  const ownSessionsCount = countsOwnSessions(state, day, metric, method);
  if (ofShown && (isOfSleep(metricNo) || !ownSessionsCount)) return asConsolidated(ofShown);
  const candidates = candidatesOf(state, day, metricNo).filter(
    ({ isFromSessions, isIncomplete }) =>
      (ownSessionsCount || !isFromSessions) && (method === 'priority' || !isIncomplete),
  );
  const only = method === 'priority' ? deviceOfMeasurement(state, day, metricNo) : null;
  const decided = consolidateDay(
    metric,
    method,
    only === null ? candidates : candidates.filter(({ device }) => device.deviceNo === only),
  );
  // What a single device recorded may lack workouts of others, and the shown ones lack copies of those of excluded devices.
  return ofShown && (!decided || decided.value < ofShown.micros) ? asConsolidated(ofShown) : decided;
}

function asConsolidated({ micros, source, contributors }: CanonicalValue): ConsolidatedDay {
  const parts = contributors.length > 0 ? contributors : [source];
  return { value: micros, source, contributors: parts, merged: null };
}

/** The device that all metrics of a measurement come from on a day. Null if the metric may come from any device. */
export function deviceOfMeasurement(state: UserState, day: DayNumber, metricNo: number): number | null {
  const metric = metricOf(metricNo);
  const ofNight = nightDeviceFor(state, day, metric);
  if (ofNight !== null) return ofNight;
  const members = measurementOf(metricNo);
  if (!members) return null;
  const main = metricOf(members[0]!);
  const ofMain = isOtherKey(metric, main) ? deviceOfMeasurement(state, day, main.no) : null;
  const alike = members.map(metricOf).filter((member) => !isOtherKey(member, metric));
  if (ofMain !== null && alike.some((member) => hasEnabledReading(state, day, member, ofMain))) return ofMain;
  // The members of a measurement have at most two keys of settings, so the choice is made at most twice a day.
  const key = `${day}/${main.no}/${consolidationKeyOf(metric)}`;
  let chosen = state.measuredBy.get(key);
  if (chosen === undefined) {
    chosen = chooseDevice(metric, devicesOfDay(state, day, metric))?.deviceNo ?? null;
    state.measuredBy.set(key, chosen);
  }
  return chosen;
}

function isOtherKey(metric: Metric, main: Metric): boolean {
  return consolidationKeyOf(metric) !== consolidationKeyOf(main);
}

function hasEnabledReading(state: UserState, day: DayNumber, metric: Metric, deviceNo: number): boolean {
  return devicesOfDay(state, day, metric).some(
    ({ device, content, enabled }) =>
      enabled &&
      device.deviceNo === deviceNo &&
      (readingOfDay(content, metric.no)?.from ?? 'sessions') !== 'sessions',
  );
}

function decide(state: UserState, day: DayNumber, metricNo: number, method: Method): CanonicalValue | null {
  const decided = consolidate(state, day, metricNo, method);
  if (!decided) return null;
  const { value, source, contributors } = decided;
  return { micros: Math.round(value), source, contributors: contributors.length > 1 ? contributors : [] };
}

/** The number of workouts. It is 0 if a device synced that can record workouts, and there are none. */
function setWorkoutCount(state: UserState, day: DayNumber): void {
  const { no } = workoutCount;
  const stored = state.month(no, day).content[placeInMonth(day).index] ?? null;
  const known = state.sessionDays.workout.get(day);
  const counted = known ? known.values.get(no) : stored;
  if (counted && counted.micros > 0) return setCanonicalValue(state, day, no, counted);
  const hasSynced = devicesOfDay(state, day, workoutCount).some(
    ({ device, content }) => recordsWorkouts.has(device.kind) && showsUse(content),
  );
  setCanonicalValue(state, day, no, hasSynced ? { micros: 0, source: 0, contributors: [] } : null);
}

/** Decided for every day with data, unlike other metrics of sessions. */
export const workoutCount = findMetric('workout_count')!;
const height = findMetric('height')!;
const recordsWorkouts: ReadonlySet<DeviceKind> = new Set<DeviceKind>([
  'watch',
  'band',
  'ring',
  'chest_strap',
  'bike_computer',
  'phone',
]);
