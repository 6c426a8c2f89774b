import { Temporal } from 'temporal-polyfill';

const QUARTER_MS = 900_000;
const MOST_OFFSETS = 50_000;
/** In seconds, by zone and quarter-hour, because clocks change only at the start of one. */
const offsets = new Map<string, number>();

/** Local time with the offset: `2026-03-29T06:45:00.000+02:00`. */
export function isoAt(ms: number, timezone: string): string {
  return wallClockAt(ms, timezone) + offsetAt(ms, timezone);
}

/** The UTC offset at that time, such as `+01:00`. */
export function offsetAt(ms: number, timezone: string): string {
  const seconds = offsetSecondsAt(ms, timezone);
  const time = new Date(Math.abs(seconds) * 1000).toISOString().slice(11, 16);
  return `${seconds < 0 ? '-' : '+'}${time}`;
}

/** The same in seconds. */
export function offsetSecondsAt(ms: number, timezone: string): number {
  const quarter = Math.floor(ms / QUARTER_MS);
  const key = `${timezone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const moment = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS);
  const seconds = moment.toZonedDateTimeISO(timezone).offsetNanoseconds / 1e9;
  if (offsets.size >= MOST_OFFSETS) offsets.clear();
  offsets.set(key, seconds);
  return seconds;
}

/** Local time without the offset. Values compare as text. */
export function wallClockAt(ms: number, timezone: string): string {
  return new Date(ms + offsetSecondsAt(ms, timezone) * 1000).toISOString().slice(0, -1);
}
