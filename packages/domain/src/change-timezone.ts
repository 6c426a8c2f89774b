import { dayEndMs, dayOf, dayStartMs, type DayNumber } from './days.ts';
import { formatTimezones, parseTimezones, splitTimezones, type Timezones } from './timezones.ts';

/** The days to which a new time zone applies: those from now on, those from a date on, or all. */
export type EffectiveFrom = 'now' | 'all' | DayNumber;

/**
 * The timeline of a user whose time zone changes at `nowMs`. From then on, the current day is the date that the clock in the new zone shows.
 * If the two zones show different dates, the change applies from the earlier one, so that neither date occurs twice. Earlier days stay as
 * they are, unless the change is effective from an earlier date. It replaces all changes from its first day on.
 */
export function changeTimezone(
  timezones: Timezones,
  timezone: string,
  effectiveFrom: EffectiveFrom,
  nowMs: number,
): Timezones {
  if (effectiveFrom === 'all') return timezone;
  if (effectiveFrom === 'now' && splitTimezones(timezones).current === timezone) return timezones;
  const today = Math.min(dayOf(nowMs, timezones), dayOf(nowMs, timezone));
  const isToday = effectiveFrom === 'now' || effectiveFrom > today;
  const firstDay = isToday ? today : effectiveFrom;
  const earlier = parseTimezones(timezones).filter((period) => period.firstDay < firstDay);
  if (earlier.at(-1)!.timezone === timezone) return formatTimezones(earlier);
  const clockMs = isToday ? nowMs : dayStartMs(firstDay, timezone);
  // Both clocks apply on the first day only.
  const fromMs = Math.max(
    dayStartMs(firstDay, formatTimezones(earlier)),
    Math.min(clockMs, dayEndMs(firstDay, timezone)),
  );
  return formatTimezones([...earlier, { timezone, firstDay, fromMs }]);
}
