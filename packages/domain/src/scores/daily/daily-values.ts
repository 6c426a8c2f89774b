import { findMetric } from '../../catalog/catalog.ts';
import type { DayNumber } from '../../days.ts';
import type { PersonDays } from '../inputs/person-days.ts';
import { activeHoursOf } from './active-hours.ts';
import { glucoseManagementOn } from './glucose-management.ts';
import { sleepDebtOn, sleepNeedOn } from './sleep-debt.ts';
import { socialJetlagOn } from './social-jetlag.ts';

/**
 * Daily values that need samples or several days, like scores, and are therefore computed together with them. They belong to none, so they
 * are never held back with one.
 */
export const valuesWithScores = [
  'active_hours',
  'longest_inactivity',
  'heart_rate_dip',
  'sleep_need',
  'sleep_debt',
  'social_jetlag',
  'glucose_management_indicator',
] as const;

/** The values of a day, within the range of their metric. Null if there is none. */
export function valuesWithScoresOn(days: PersonDays, day: DayNumber): Record<string, number | null> {
  const observed = days.facts.get(day)?.observed;
  const need = sleepNeedOn(days, day);
  const values: Record<(typeof valuesWithScores)[number], number | null> = {
    active_hours: activeHoursOf(observed?.stepHours ?? null, days.valueOf('steps', day)),
    longest_inactivity: observed?.longestInactivity ?? null,
    heart_rate_dip: observed?.heartRateDip ?? null,
    sleep_need: need,
    sleep_debt: sleepDebtOn(days, day, need),
    social_jetlag: socialJetlagOn(days, day),
    glucose_management_indicator: glucoseManagementOn(days, day),
  };
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, inRange(id, value)]));
}

function inRange(id: string, value: number | null): number | null {
  const { min, max } = findMetric(id)!;
  return value !== null && value >= min && value <= max ? value : null;
}
