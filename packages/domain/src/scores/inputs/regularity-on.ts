import { dayEndMs, dayStartMs, minutesFromMidnight, timezoneAt, type DayNumber } from '../../days.ts';
import { minuteMs } from '../../durations.ts';
import type { Timezones } from '../../timezones.ts';
import type { PersonDays } from './person-days.ts';
import { sleepRegularity, type SleepMinutes } from '../recipes/sleep-regularity.ts';

const windowDays = 7;
const leastDaysWithSleep = 4;
const dayMinutes = 1440;

/**
 * The sleep regularity index of a date, over the seven days from noon to noon in local time that end at its noon. Compares consecutive days
 * that both have sleep, so an unrecorded night does not count as sleepless. Null with sleep on fewer than four of them.
 */
export function regularityOn(days: PersonDays, day: DayNumber): number | null {
  const nights = Array.from({ length: windowDays }, (_, at) =>
    sleepEndingBy(days, day - windowDays + 1 + at),
  );
  if (nights.filter((sessions) => sessions.length > 0).length < leastDaysWithSleep) return null;
  const indices: number[] = [];
  for (let at = 1; at < windowDays; at += 1) {
    const [before, after] = [nights[at - 1]!, nights[at]!];
    if (before.length === 0 || after.length === 0) continue;
    const firstNoon = (day - windowDays + at) * dayMinutes - dayMinutes / 2;
    indices.push(sleepRegularity([...before, ...after], firstNoon, 2)!);
  }
  return indices.length === 0 ? null : indices.reduce((sum, index) => sum + index, 0) / indices.length;
}

/** Sleep between noon of the previous day and noon of `day`, in local minutes. */
function sleepEndingBy(days: PersonDays, day: DayNumber): SleepMinutes[] {
  const { timezone } = days.person;
  const noon = day * dayMinutes + dayMinutes / 2;
  const sessions: SleepMinutes[] = [];
  for (const ends of [day - 1, day]) {
    for (const { startMs, endMs } of days.sleep.get(ends) ?? []) {
      const startMinute = Math.max(noon - dayMinutes, localMinute(startMs, ends, timezone));
      const endMinute = Math.min(noon, localMinute(endMs, ends, timezone));
      if (endMinute > startMinute) sessions.push({ startMinute, endMinute });
    }
  }
  return sessions;
}

/** Local time in minutes since 1970. `day` is the local day or the one after it. */
function localMinute(instantMs: number, day: DayNumber, timezones: Timezones): number {
  const timezone = timezoneAt(instantMs, timezones);
  const startMs = dayStartMs(day, timezone);
  // Much faster than calendar arithmetic, and equivalent unless the clock changes.
  const isPlain = dayEndMs(day, timezone) - dayStartMs(day - 1, timezone) === 2 * dayMinutes * minuteMs;
  const minutes = isPlain ? (instantMs - startMs) / minuteMs : minutesFromMidnight(instantMs, day, timezone);
  return day * dayMinutes + minutes;
}
