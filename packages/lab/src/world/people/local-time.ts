import { Temporal } from 'temporal-polyfill';
import type { Person } from './person.ts';

const DAY = 86_400_000;

/** Where a person is on a date. Trips include their first and last date. */
export function zoneOn(person: Person, date: string): string {
  const trip = person.trips.find(({ from, to }) => from <= date && date <= to);
  return trip?.timezone ?? person.timezone;
}

/** The date a number of days later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
}

/** When a person's date begins and ends. It ends where the next begins, so a travel day is longer or shorter. */
export function boundsOf(person: Person, date: string): { start: number; end: number } {
  return { start: startOf(person, date), end: startOf(person, addDays(date, 1)) };
}

/**
 * The time at which the local clock shows the given minutes after midnight. In a repeated hour it is the first one, in a skipped hour the time is
 * shifted forward.
 */
export function momentAt(zone: string, date: string, minutes: number): number {
  const days = Math.floor(minutes / 1440);
  const rest = Math.floor(minutes - days * 1440);
  const plainTime = { hour: Math.floor(rest / 60), minute: rest % 60 };
  return Temporal.PlainDate.from(addDays(date, days)).toZonedDateTime({ timeZone: zone, plainTime })
    .epochMilliseconds;
}

/** The person's local date at a time. */
export function dateAt(person: Person, moment: number): string {
  // No time zone is more than a day from UTC.
  let date = addDays(new Date(moment).toISOString().slice(0, 10), -1);
  while (boundsOf(person, date).end <= moment) date = addDays(date, 1);
  return date;
}

/** The person's local dates between two times. */
export function datesBetween(person: Person, fromMs: number, toMs: number): string[] {
  const dates: string[] = [];
  if (toMs < fromMs) return dates;
  for (let date = dateAt(person, fromMs); startOf(person, date) <= toMs; date = addDays(date, 1))
    dates.push(date);
  return dates;
}

const MOST_STARTS = 50_000;
const starts = new Map<string, number>();

function startOf(person: Person, date: string): number {
  const zone = zoneOn(person, date);
  const key = `${zone} ${date}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const start = Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
  if (starts.size >= MOST_STARTS) starts.clear();
  starts.set(key, start);
  return start;
}
