import type { Day } from './day.ts';
import { dayOf } from './live-day.ts';
import type { Person } from './person.ts';

const MOST_DAYS = 2000;

/** Days as `dayOf` tells them, with the last ones kept: a list of documents asks for the same day many times. */
export function rememberDays(): (person: Person, date: string) => Day {
  const days = new Map<string, Day>();
  return (person, date) => {
    const key = `${person.id} ${date}`;
    const known = days.get(key);
    if (known) return known;
    const day = dayOf(person, date);
    if (days.size >= MOST_DAYS) days.delete(days.keys().next().value!);
    days.set(key, day);
    return day;
  };
}
