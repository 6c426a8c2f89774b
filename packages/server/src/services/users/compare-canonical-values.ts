import {
  decodeMonth,
  firstDayOf,
  isOptIn,
  metricOf,
  sameValue,
  type CanonicalMonth,
} from '@tributary/domain';
import type { CanonicalValues } from '../../store/layers/canonical-values.ts';

/** The metrics whose canonical values changed, and the range of days with any change, as events report them. */
export interface CanonicalChange {
  metrics: number[];
  firstDay: number;
  lastDay: number;
}

/** Compares two states of a user's canonical layer, without opt-in metrics. Returns null if nothing changed. */
export function compareCanonicalValues(
  before: CanonicalValues,
  after: CanonicalValues,
): CanonicalChange | null {
  const metrics = new Set<number>();
  const days: number[] = [];
  const months = new Map<string, { metricNo: number; month: number; states: (Buffer | undefined)[] }>();
  for (const [at, canonicalValues] of [before, after].entries()) {
    for (const { metricNo, month, detail } of canonicalValues.months) {
      if (isOptIn(metricOf(metricNo))) continue;
      const key = `${metricNo}/${month}`;
      const entry = months.get(key) ?? { metricNo, month, states: [undefined, undefined] };
      entry.states[at] = detail;
      months.set(key, entry);
    }
  }
  for (const { metricNo, month, states } of months.values()) {
    const [old, now] = states;
    if (old && now && old.equals(now)) continue;
    const changed = changedDays(old ? decodeMonth(old) : [], now ? decodeMonth(now) : []);
    if (changed.length > 0) metrics.add(metricNo);
    days.push(...changed.map((index) => firstDayOf(month) + index));
  }
  days.push(...changedSessions(before.sessions, after.sessions));
  if (days.length === 0) return null;
  return {
    metrics: [...metrics].sort((a, b) => a - b),
    firstDay: days.reduce((a, b) => Math.min(a, b)),
    lastDay: days.reduce((a, b) => Math.max(a, b)),
  };
}

function changedDays(before: CanonicalMonth, after: CanonicalMonth): number[] {
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => index).filter(
    (index) => !sameValue(before[index] ?? null, after[index] ?? null),
  );
}

function changedSessions(before: CanonicalValues['sessions'], after: CanonicalValues['sessions']): number[] {
  const old = new Set(before.map(({ digest }) => digest));
  const now = new Set(after.map(({ digest }) => digest));
  return [
    ...before.filter(({ digest }) => !now.has(digest)),
    ...after.filter(({ digest }) => !old.has(digest)),
  ].map(({ day }) => day);
}
