import { Temporal } from 'temporal-polyfill';
import { formatDay, type DayNumber } from '../days.ts';

/** Completed years on a day. 0 before birth. */
export function ageOn(birthDay: DayNumber, day: DayNumber): number {
  const birth = Temporal.PlainDate.from(formatDay(birthDay));
  const { years } = birth.until(Temporal.PlainDate.from(formatDay(day)), { largestUnit: 'years' });
  return Math.max(0, years);
}
