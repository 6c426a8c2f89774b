import { Temporal } from 'temporal-polyfill';
import { dayEndMs, dayOf, dayStartMs, formatDay } from './days.ts';

const dayMs = 86_400_000;

/** What the clock on the wall shows at an instant, `2026-03-29T03:00:00`: whole seconds and no offset. */
export function clockTime(instantMs: number, timezone: string): string {
  const day = dayOf(instantMs, timezone);
  const start = dayStartMs(day, timezone);
  // On a day of 24 hours the clock runs evenly from midnight, which is much quicker to tell than any other day.
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
