import { setCanonicalValue, workoutCount } from './consolidate-days.ts';
import type { SessionEffect } from './decide-sessions.ts';

/** The days and metrics that must be loaded before effects are applied. */
export function daysOfEffects(effects: readonly SessionEffect[]): { day: number; metricNo: number }[] {
  return effects.flatMap(({ day, rules }) =>
    [...rules.metrics, ...rules.canonicalMetrics].map((metricNo) => ({ day, metricNo })),
  );
}

/** Replaces what sessions previously contributed to a day. */
export function applyEffect({ state, kind, day, byDevice, ofShown, rules }: SessionEffect): void {
  state.sessionDays[kind].set(day, ofShown);
  for (const [deviceNo, values] of byDevice) {
    const entry = state.day(day, deviceNo);
    for (const metricNo of rules.metrics) {
      const before = entry.content.fromSessions.get(metricNo);
      const after = values.get(metricNo);
      if (before === after) continue;
      if (after === undefined) entry.content.fromSessions.delete(metricNo);
      else entry.content.fromSessions.set(metricNo, after);
      entry.changed = true;
    }
  }
  for (const metricNo of rules.metrics) state.markStale(day, metricNo);
  for (const metricNo of rules.canonicalMetrics)
    if (metricNo !== workoutCount.no)
      setCanonicalValue(state, day, metricNo, ofShown.values.get(metricNo) ?? null);
}
