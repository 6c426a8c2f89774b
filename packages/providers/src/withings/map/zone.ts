import { isTimezone } from '@tributary/domain';
import { Temporal } from 'temporal-polyfill';

/** The offset of a zone at a time, such as `+05:45`. Null for an unknown zone. */
export function offsetIn(timezone: unknown, atMs: number | null): string | null {
  if (typeof timezone !== 'string' || !isTimezone(timezone) || atMs === null) return null;
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).offset;
}
