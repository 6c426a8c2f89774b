import type { SessionEffect } from './decide-sessions.ts';
import { setCanonicalValue } from './consolidate-days.ts';

/** The days and metrics that must be loaded before effects are applied. */
export function daysOfEffects(effects: readonly SessionEffect[]): { day: number; metricNo: number }[] {
  return effects.flatMap(({ day, metrics, canonicalMetrics }) =>
    [...metrics, ...canonicalMetrics].map((metricNo) => ({ day, metricNo })),
  );
}

/** Replaces the values that sessions previously contributed to a day. */
export function applyEffect({
  state,
  day,
  byDevice,
  metrics,
  canonicalValues,
  canonicalMetrics,
}: SessionEffect): void {
  for (const [deviceNo, values] of byDevice) {
    const entry = state.day(day, deviceNo);
    for (const metricNo of metrics) {
      const before = entry.content.fromSessions.get(metricNo);
      const after = values.get(metricNo);
      if (before === after) continue;
      if (after === undefined) entry.content.fromSessions.delete(metricNo);
      else entry.content.fromSessions.set(metricNo, after);
      entry.changed = true;
      state.markStale(day, metricNo);
    }
  }
  for (const metricNo of canonicalMetrics) {
    const micros = canonicalValues.get(metricNo);
    setCanonicalValue(
      state,
      day,
      metricNo,
      micros === undefined ? null : { micros, source: 0, contributors: [] },
    );
  }
}
