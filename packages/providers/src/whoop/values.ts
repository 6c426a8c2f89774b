import { hourMs, minuteMs } from '@tributary/domain';
import { dateOf, instantOf, mapped, numberOf, offsetOf } from '../mapping/read.ts';

/** Energy, which WHOOP reports only in kilojoules. */
export function kcalOf(kilojoules: unknown): number | null {
  return mapped(numberOf(kilojoules), (value) => value / 4.184);
}

/** The offset of a record. Unlike in a timestamp, `Z` here does say where the user is. */
export function recordOffsetOf(value: unknown): string | null {
  return value === 'Z' ? '+00:00' : offsetOf(value);
}

/**
 * The date of a cycle: the one on which the user wakes up from the sleep that begins it. Eight hours after the start that date has come, whether they
 * went to bed before midnight or after. The end would give another date for users who stay up past midnight, and it is unknown at first. A date that
 * changed would leave values on two days.
 */
export function dateOfCycle(start: unknown, timezoneOffset: unknown): string | null {
  const startMs = instantOf(start);
  const offset = recordOffsetOf(timezoneOffset);
  if (startMs === null || offset === null) return null;
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  const aheadMs = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
  return dateOf(new Date(startMs + aheadMs + 8 * hourMs).toISOString().slice(0, 10));
}
