import type { Day } from './day.ts';
import { dayOf } from './live-day.ts';
import type { Person } from './person.ts';

/** Half a gigabyte of them: a few weeks of some hundred people who are read again and again. */
const MOST_DAYS = 10_000;

/** Days as `dayOf` tells them, with the last ones kept: a list of documents asks for the same day many times. */
export function rememberDays(): (person: Person, date: string) => Day {
  const days = new Map<string, Day>();
  return (person, date) => {
    const key = `${person.id} ${date}`;
    const day = days.get(key) ?? dayOf(person, date);
    // The one that was not asked for for the longest time goes first.
    if (!days.delete(key) && days.size >= MOST_DAYS) days.delete(days.keys().next().value!);
    days.set(key, day);
    return day;
  };
}
