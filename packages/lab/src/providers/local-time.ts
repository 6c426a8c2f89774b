import { Temporal } from 'temporal-polyfill';

/** The moment as clocks show it there, with the offset: `2026-03-29T06:45:00.000+02:00`. */
export function isoAt(ms: number, timezone: string): string {
  return zoned(ms, timezone).toString({ timeZoneName: 'never', fractionalSecondDigits: 3 });
}

/** `+01:00`, as it holds there at that moment. */
export function offsetAt(ms: number, timezone: string): string {
  return zoned(ms, timezone).offset;
}

/** The same in seconds. */
export function offsetSecondsAt(ms: number, timezone: string): number {
  return zoned(ms, timezone).offsetNanoseconds / 1e9;
}

/** What clocks show there, without the offset: it compares as text. */
export function wallClockAt(ms: number, timezone: string): string {
  return zoned(ms, timezone).toPlainDateTime().toString({ fractionalSecondDigits: 3 });
}

function zoned(ms: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
}
