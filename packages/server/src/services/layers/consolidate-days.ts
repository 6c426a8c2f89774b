import {
  consolidateDay,
  continuousMetrics,
  derivedMetrics,
  findMetric,
  fromMicros,
  isEnabled,
  mergeIntervals,
  mergesAnything,
  methodFor,
  metricOf,
  placeInMonth,
  sameValue,
  scoreInputs,
  toMicros,
  valueOfDay,
  type Candidate,
  type CanonicalValue,
  type Consolidated,
  type DayNumber,
  type Method,
} from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { borrowChunks, intervalsOfDay, returnChunks } from './merged-days.ts';
import type { UserState } from './user-state.ts';

/** Days whose samples are in memory at once, recomputed without yielding. */
const daysAtOnce = 7;

/** Recomputes every stale day and metric from the device days, then the derived metrics. */
export async function consolidateDays(tx: Queryable, state: UserState): Promise<void> {
  const days = [...state.stale.keys()].sort((a, b) => a - b);
  if (mergesAnything(state.user.settings)) {
    for (let at = 0; at < days.length; at += daysAtOnce) {
      const few = days.slice(at, at + daysAtOnce);
      const borrowed = await borrowChunks(tx, state, few);
      for (const day of few) consolidateOne(state, day);
      returnChunks(state, borrowed);
    }
  } else {
    for (const day of days) consolidateOne(state, day);
  }
  state.stale.clear();
}

function consolidateOne(state: UserState, day: DayNumber): void {
  const stale = state.stale.get(day)!;
  for (const metricNo of stale) {
    const method = methodFor(state.user.settings, metricOf(metricNo));
    if (method) setCanonicalValue(state, day, metricNo, decide(state, day, metricNo, method));
  }
  for (const { no, from, compute } of derivedMetrics) {
    if (!from.some((input) => stale.has(input))) continue;
    const value = compute(
      (id) => canonicalValueOf(state, day, findMetric(id)!.no),
      (id) => fromMicrosOrNull(decide(state, day, findMetric(id)!.no, 'priority')),
    );
    setCanonicalValue(
      state,
      day,
      no,
      value === null ? null : { micros: toMicros(value), source: 0, contributors: [] },
    );
    stale.add(no); // other metrics are derived from this one
  }
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
  state.changed.metrics.add(metricNo);
  state.noteChange([day]);
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

/** The value of each remaining device for a metric and day, and whether the settings enable it. */
export function candidatesOf(state: UserState, day: DayNumber, metricNo: number): Candidate[] {
  const metric = metricOf(metricNo);
  const candidates: Candidate[] = [];
  for (const [deviceNo, { content }] of state.days.get(day) ?? []) {
    const value = valueOfDay(content, metricNo);
    const device = state.devices.find((known) => known.deviceNo === deviceNo && known.removedMs === null);
    if (value === null || !device) continue;
    candidates.push({ device, value, enabled: isEnabled(state.user.settings, metric, device.provider) });
  }
  return candidates;
}

/** The canonical value by a method. For `merge`, the samples of the day must be in memory. */
export function consolidate(
  state: UserState,
  day: DayNumber,
  metricNo: number,
  method: Method,
): Consolidated | null {
  const metric = metricOf(metricNo);
  const candidates = candidatesOf(state, day, metricNo);
  const merged =
    method === 'merge'
      ? mergeIntervals(
          metric,
          candidates.map(({ device, enabled }) => ({
            device,
            enabled,
            intervals: enabled ? intervalsOfDay(state, day, metricNo, device.deviceNo) : [],
          })),
        )
      : null;
  return merged ?? consolidateDay(metric, method, candidates);
}

function decide(state: UserState, day: DayNumber, metricNo: number, method: Method): CanonicalValue | null {
  const decided = consolidate(state, day, metricNo, method);
  if (!decided) return null;
  const { value, source, contributors } = decided;
  return { micros: Math.round(value), source, contributors: contributors.length > 1 ? contributors : [] };
}
