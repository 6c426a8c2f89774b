import { Temporal } from 'temporal-polyfill';
import type { Person } from './person.ts';

const DAY = 86_400_000;

/** Where someone is on a date: trips are counted from their first to their last date. */
export function zoneOn(person: Person, date: string): string {
  const trip = person.trips.find(({ from, to }) => from <= date && date <= to);
  return trip?.timezone ?? person.timezone;
}

/** The date some days later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
}

/** When a date begins and ends for someone. It ends where the next begins, so that a day of travel is longer or shorter. */
export function boundsOf(person: Person, date: string): { start: number; end: number } {
  return { start: startOf(person, date), end: startOf(person, addDays(date, 1)) };
}

/** The moment at which the clock on the wall says so many minutes after midnight: in an hour that comes twice the first, in one that is left out as much later. */
export function momentAt(zone: string, date: string, minutes: number): number {
  const days = Math.floor(minutes / 1440);
  const rest = Math.floor(minutes - days * 1440);
  const plainTime = { hour: Math.floor(rest / 60), minute: rest % 60 };
  return Temporal.PlainDate.from(addDays(date, days)).toZonedDateTime({ timeZone: zone, plainTime })
    .epochMilliseconds;
}

/** The local date of a moment, as the person lived it. */
export function dateAt(person: Person, moment: number): string {
  // Nobody is further from Greenwich than a day.
  let date = addDays(new Date(moment).toISOString().slice(0, 10), -1);
  while (boundsOf(person, date).end <= moment) date = addDays(date, 1);
  return date;
}

/** The local dates from one moment to another, as the person lived them. */
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
