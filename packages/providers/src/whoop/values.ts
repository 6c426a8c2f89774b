import { dateOf, instantOf, mapped, numberOf, offsetOf } from '../mapping/read.ts';

const hourMs = 3_600_000;

/** Energy, which WHOOP knows in kilojoules alone. */
export function kcalOf(kilojoules: unknown): number | null {
  return mapped(numberOf(kilojoules), (value) => value / 4.184);
}

/** The offset of a record. Unlike in a time, `Z` says here where the person is. */
export function recordOffsetOf(value: unknown): string | null {
  return value === 'Z' ? '+00:00' : offsetOf(value);
}

/**
 * The date that a cycle is about: the one on which the person wakes up from the sleep that it begins with. Eight hours after the start
 * that day has come, whether they lay down before midnight or after. The end would say another date to those who stay up past midnight,
 * and it is not known at first: a date that changed would leave the figures standing on two days.
 */
export function dateOfCycle(start: unknown, timezoneOffset: unknown): string | null {
  const startMs = instantOf(start);
  const offset = recordOffsetOf(timezoneOffset);
  if (startMs === null || offset === null) return null;
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  const aheadMs = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return dateOf(new Date(startMs + aheadMs + 8 * hourMs).toISOString().slice(0, 10));
}
