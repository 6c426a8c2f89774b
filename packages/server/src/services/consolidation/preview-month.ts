import {
  dayEndMs,
  dayStartMs,
  placeInMonth,
  sameValue,
  type CanonicalValue,
  type DayNumber,
} from '@tributary/domain';
import { readSessionIds } from '../../store/layers/canonical-sessions.ts';
import type { Queryable } from '../../store/database/database.ts';
import { applyEffect } from '../layers/apply-effects.ts';
import { consolidateDays } from '../layers/consolidate-days.ts';
import { decideSessions, readSessionsAround } from '../layers/decide-sessions.ts';
import { loadDaysOfMonth } from '../layers/load-layers.ts';
import { sleepRules } from '../layers/sleep-rules.ts';
import type { UserState } from '../layers/user-state.ts';

/** The changes in some days of one month. */
export interface MonthPreview {
  values: {
    metricNo: number;
    day: DayNumber;
    before: CanonicalValue | null;
    after: CanonicalValue | null;
  }[];
  /** IDs of sleep sessions, ordered by start. */
  sleep: { day: DayNumber; before: string[]; after: string[] }[];
}

/** Recomputes days of one calendar month with the settings of an empty state, as a rebuild would. Writes nothing. */
export async function previewMonth(
  tx: Queryable,
  state: UserState,
  days: readonly DayNumber[],
): Promise<MonthPreview> {
  await loadDaysOfMonth(tx, state, days);
  const before = new Map([...state.months].map(([key, { content }]) => [key, [...content]]));
  const sleep = await previewSleep(tx, state, days);
  await consolidateDays(tx, state);
  const values: MonthPreview['values'] = [];
  for (const [key, { metricNo, content }] of state.months) {
    for (const day of days) {
      const { index } = placeInMonth(day);
      const [old, now] = [before.get(key)?.[index] ?? null, content[index] ?? null];
      if (!sameValue(old, now)) values.push({ metricNo, day, before: old, after: now });
    }
  }
  return { values, sleep };
}

/** Recomputes which sleep sessions are shown on these days, and the effect on the days' values. */
async function previewSleep(
  tx: Queryable,
  state: UserState,
  days: readonly DayNumber[],
): Promise<MonthPreview['sleep']> {
  const { userId, timezones } = state.user;
  const spans = days.map((day) => ({
    day,
    startMs: dayStartMs(day, timezones),
    endMs: dayEndMs(day, timezones),
  }));
  const [stored, sessions] = await Promise.all([
    readSessionIds(tx, 'sleep', userId, { from: days[0]!, to: days.at(-1)! }),
    readSessionsAround(tx, state, sleepRules, spans),
  ]);
  const storedDays = stored.map(({ day }) => day);
  const { canonicalSessions, effects } = decideSessions(state, sleepRules, sessions, [], storedDays);
  const requestedDays = new Set(days);
  for (const effect of effects) if (requestedDays.has(effect.day)) applyEffect(effect);
  const byStart = canonicalSessions.toSorted((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1));
  return days
    .map((day) => ({ day, before: idsOf(stored, day), after: idsOf(byStart, day) }))
    .filter((one) => one.before.join() !== one.after.join());
}

function idsOf(sessions: readonly { day: number; id: string }[], day: DayNumber): string[] {
  return sessions.filter((session) => session.day === day).map(({ id }) => id);
}
