import { chanceOf } from '../hash.ts';
import { addDays, momentAt, zoneOn } from './local-time.ts';
import type { Person } from './person.ts';

const MINUTE = 60_000;
const GRID = 5 * MINUTE;

/** A sleep before its contents are generated. */
export interface SleepPlan {
  key: string;
  isMain: boolean;
  start: number;
  end: number;
}

/** The sleeps that end on a date, in order: the night, and sometimes a nap. Times are multiples of five minutes in UTC. */
export function sleepsOn(person: Person, date: string): SleepPlan[] {
  const draw = (what: string): number => chanceOf(person.seed, 'sleep', date, what);
  const night = nightOf(person, date);
  const sleeps: SleepPlan[] = [{ key: `${date}-night`, isMain: true, ...night }];
  if (draw('nap') < 0.15) {
    const start = onGrid(momentAt(zoneOn(person, date), date, 13 * 60 + 150 * draw('nap start')));
    const end = onGrid(start + (25 + 50 * draw('nap length')) * MINUTE);
    const next = nightOf(person, addDays(date, 1));
    // A travel day may have no afternoon.
    if (start >= night.end + 3 * 60 * MINUTE && end <= next.start - 3 * 60 * MINUTE)
      sleeps.push({ key: `${date}-nap`, isMain: false, start, end });
  }
  return sleeps;
}

/** The night that ends on a date, in the local time of the place where it ends. */
function nightOf(person: Person, date: string): { start: number; end: number } {
  const zone = zoneOn(person, date);
  const end = wakeOf(person, date);
  const usual = 22 * 60 + 15 + 120 * chanceOf(person.seed, 'usual bedtime');
  const bed = usual + spread(chanceOf(person.seed, 'bed', date), 50);
  // A person does not go to bed right after getting up, even after a long flight.
  const awakeUntil = wakeOf(person, addDays(date, -1)) + 4 * 60 * MINUTE;
  const start = Math.max(onGrid(momentAt(zone, addDays(date, -1), bed)), awakeUntil);
  return { start: Math.min(start, end - 2 * 60 * MINUTE), end };
}

function wakeOf(person: Person, date: string): number {
  const usual = 6 * 60 + 90 * chanceOf(person.seed, 'usual waking');
  const isWeekend = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
  const wake = usual + spread(chanceOf(person.seed, 'wake', date), 35) + (isWeekend ? 50 : 0);
  return onGrid(momentAt(zoneOn(person, date), date, wake));
}

/** A number around 0, with a maximum deviation. */
function spread(chance: number, most: number): number {
  return (2 * chance - 1) * most;
}

function onGrid(moment: number): number {
  return Math.round(moment / GRID) * GRID;
}
