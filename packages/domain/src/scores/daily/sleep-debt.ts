import { ageOn } from '../../people/age.ts';
import type { DayNumber } from '../../days.ts';
import { recommendedHours } from '../recipes/one/sleep.ts';
import { usualOf } from '../inputs/baseline.ts';
import type { PersonDays } from '../inputs/person-days.ts';

/** Nights from which a person's usual sleep is known. */
const usualDays = 60;
const leastUsualNights = 14;
/** Van Dongen 2003: the effects of short sleep add up over two weeks. */
const debtDays = 14;
const leastDebtNights = 10;

/**
 * The minutes of sleep that a person needs: the median of the last 60 nights, within the range that is recommended for the age. The middle of
 * that range if fewer nights are known. Null without a night on the day.
 */
export function sleepNeedOn(days: PersonDays, day: DayNumber): number | null {
  if (days.valueOf('asleep', day) === null || days.valueOf('sleep_midpoint', day) === null) return null;
  const nights = nightsUpTo(days, day, usualDays);
  const { birthDay } = days.person;
  const { low, high } = recommendedHours(birthDay === null ? null : ageOn(birthDay, day));
  if (countOf(nights) < leastUsualNights) return (60 * (low + high)) / 2;
  return Math.min(60 * high, Math.max(60 * low, usualOf(nights)!));
}

/** What the last two weeks lack of the need, in minutes. A long night does not repay a short one. Null if too few nights are known. */
export function sleepDebtOn(days: PersonDays, day: DayNumber, needMinutes: number | null): number | null {
  if (needMinutes === null) return null;
  const nights = nightsUpTo(days, day, debtDays);
  if (countOf(nights) < leastDebtNights) return null;
  return nights.reduce<number>(
    (sum, minutes) => sum + Math.max(0, needMinutes - (minutes ?? needMinutes)),
    0,
  );
}

/** The minutes asleep on the last days, oldest first. Null for a day without a main sleep, even if it has a nap. */
function nightsUpTo(days: PersonDays, day: DayNumber, count: number): (number | null)[] {
  const midpoints = days.before('sleep_midpoint', day + 1, count);
  return days.before('asleep', day + 1, count).map((asleep, at) => (midpoints[at] === null ? null : asleep));
}

function countOf(nights: readonly (number | null)[]): number {
  return nights.filter((minutes) => minutes !== null).length;
}
