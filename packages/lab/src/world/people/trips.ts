import { chanceOf } from '../hash.ts';
import { addDays } from './local-time.ts';
import type { Person } from './person.ts';

const FIRST_YEAR = 2020;
const LAST_YEAR = 2039;

// Far to the east and west, and across the date line.
const DESTINATIONS = ['America/New_York', 'Asia/Tokyo', 'Europe/Athens', 'Asia/Dubai'] as const;

/** A trip of one to two weeks in each quarter. */
export function tripsOf(seed: number, home: string): Person['trips'] {
  const places = DESTINATIONS.filter((zone) => zone !== home);
  const trips: Person['trips'] = [];
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1)
    for (let quarter = 0; quarter < 4; quarter += 1) {
      const draw = (what: string): number => chanceOf(seed, 'trip', year, quarter, what);
      const from = addDays(
        `${year}-${String(1 + 3 * quarter).padStart(2, '0')}-01`,
        5 + Math.floor(draw('from') * 60),
      );
      trips.push({
        from,
        to: addDays(from, 6 + Math.floor(draw('days') * 8)),
        timezone: places[Math.floor(draw('where') * places.length)]!,
      });
    }
  return trips;
}
