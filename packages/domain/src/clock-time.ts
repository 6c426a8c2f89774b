import { Temporal } from 'temporal-polyfill';
import { dayEndMs, dayOf, dayStartMs, formatDay, timezoneAt } from './days.ts';
import { dayMs } from './durations.ts';
import type { Timezones } from './timezones.ts';

/** Local time at an instant, in whole seconds without an offset: `2026-03-29T03:00:00`. */
export function clockTime(instantMs: number, timezones: Timezones): string {
  const timezone = timezoneAt(instantMs, timezones);
  const day = dayOf(instantMs, timezone);
  const start = dayStartMs(day, timezone);
  // Fast path: on a 24-hour day, local time advances evenly from midnight.
  if (dayEndMs(day, timezone) - start === dayMs) return `${formatDay(day)}T${timeOfDay(instantMs - start)}`;
  const local = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone);
  return local.toPlainDateTime().toString({ smallestUnit: 'second' });
}

function timeOfDay(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
