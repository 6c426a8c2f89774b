import type { Day } from './day.ts';
import { dayOf } from './live-day.ts';
import type { Person } from './person.ts';

/** Half a gigabyte of days: a few weeks of some hundred people who are read repeatedly. */
const MOST_DAYS = 10_000;

/** Shared by all labs of a process. A day is derived from the person's seed, and tests start many labs with the same people. */
const days = new Map<string, Day>();

/** `dayOf` with the most recently used days cached: a list of documents reads the same day many times. */
export function rememberDay(person: Person, date: string): Day {
  const key = `${person.seed} ${person.id} ${date}`;
  const day = days.get(key) ?? dayOf(person, date);
  // Evicts the least recently used day.
  if (!days.delete(key) && days.size >= MOST_DAYS) days.delete(days.keys().next().value!);
  days.set(key, day);
  return day;
}
