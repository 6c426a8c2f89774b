import type { DayNumber } from '../../days.ts';
import type { PersonDays } from '../inputs/person-days.ts';

const windowDays = 28;
const leastFreeNights = 3;
const leastWorkNights = 5;
const dayMinutes = 1440;

/**
 * The difference in minutes between the mean middle of sleep on free days and on work days of the last four weeks (Wittmann 2006). Free days
 * are Saturday and Sunday. A night belongs to the day it ends on. Null without a night on the day, or if too few nights are known.
 */
export function socialJetlagOn(days: PersonDays, day: DayNumber): number | null {
  if (days.valueOf('sleep_midpoint', day) === null) return null;
  const midpoints = days.before('sleep_midpoint', day + 1, windowDays);
  const [free, work]: [number[], number[]] = [[], []];
  for (const [at, midpoint] of midpoints.entries())
    if (midpoint !== null) (isWeekend(day + 1 - windowDays + at) ? free : work).push(midpoint);
  if (free.length < leastFreeNights || work.length < leastWorkNights) return null;
  const difference = Math.abs(meanOf(free) - meanOf(work)) % dayMinutes;
  return Math.min(difference, dayMinutes - difference);
}

/** Day 0 is a Thursday. */
function isWeekend(day: DayNumber): boolean {
  const daysSinceSunday = (((day + 4) % 7) + 7) % 7;
  return daysSinceSunday === 0 || daysSinceSunday === 6;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
