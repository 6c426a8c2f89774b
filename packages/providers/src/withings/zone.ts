import { isTimezone } from '@tributary/domain';
import { Temporal } from 'temporal-polyfill';

/** The offset of a zone at an instant, `+05:45`; null when there is no such zone. */
export function offsetIn(timezone: unknown, atMs: number | null): string | null {
  if (typeof timezone !== 'string' || !isTimezone(timezone) || atMs === null) return null;
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).offset;
}
