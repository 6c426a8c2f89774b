import { createHash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import type { Day, Sample } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';

/** One element of the list under a key such as `dailies`, without `userId`. */
export type Row = Record<string, unknown>;

/** The fields that every summary has. The id is derived from the words, and a summary that is sent again may have another id. */
export function summary(person: Person, day: Day, startMs: number, ...words: string[]): Row {
  return {
    summaryId: `x${digest(person.id, day.date, ...words).slice(0, 20)}`,
    calendarDate: day.date,
    startTimeInSeconds: seconds(startMs),
    startTimeOffsetInSeconds: offsetSeconds(startMs, day.timezone),
  };
}

/** Samples by the number of seconds after the start. */
export function byOffset(samples: readonly Sample[], startMs: number): Record<string, number> {
  return Object.fromEntries(samples.map(({ at, value }) => [String(seconds(at - startMs)), value]));
}

/** A period's share of a total. Computed from running totals, so that all shares add up. */
export function shareOf(total: number, from: number, to: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((total * to) / whole) - Math.round((total * from) / whole);
}

/** The offset from UTC. */
export function offsetSeconds(ms: number, timezone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).offsetNanoseconds / 1e9;
}

/** A digest that is the same for the same words. */
export function digest(...words: string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
