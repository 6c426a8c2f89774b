import { createHash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import type { Day, Sample } from '../../people/day.ts';
import type { Person } from '../../people/person.ts';

/** One element of the list under a key such as `dailies`, still without `userId`. */
export type Row = Record<string, unknown>;

/** What every summary says of itself. The id holds on to the words, and a summary that is sent again may have another. */
export function summary(person: Person, day: Day, startMs: number, ...words: string[]): Row {
  return {
    summaryId: `x${digest(person.id, day.date, ...words).slice(0, 20)}`,
    calendarDate: day.date,
    startTimeInSeconds: seconds(startMs),
    startTimeOffsetInSeconds: offsetSeconds(startMs, day.timezone),
  };
}

/** Samples by how many seconds after the start they were taken. */
export function byOffset(samples: readonly Sample[], startMs: number): Record<string, number> {
  return Object.fromEntries(samples.map(({ at, value }) => [String(seconds(at - startMs)), value]));
}

/** The part of a total that falls to a stretch, cut from running totals so that all stretches add up. */
export function shareOf(total: number, from: number, to: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((total * to) / whole) - Math.round((total * from) / whole);
}

/** How far clocks there are from UTC. */
export function offsetSeconds(ms: number, timezone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).offsetNanoseconds / 1e9;
}

/** The same letters for the same words. */
export function digest(...words: string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}

/** Whole seconds. */
export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
