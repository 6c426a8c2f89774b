import { chanceOf } from '../hash.ts';
import type { Person } from './person.ts';
import { tripsOf } from './trips.ts';

/** The named people: in different zones, with clock changes at different times of the year, and one who travels. */
const NAMED: readonly [id: string, name: string, timezone: string, extra?: 'travels' | 'glucose'][] = [
  ['ada', 'Ada Brandt', 'Europe/Berlin'],
  ['ben', 'Ben Carter', 'America/New_York', 'glucose'],
  ['chen', 'Chen Wei', 'Asia/Shanghai'],
  ['dara', 'Dara Murphy', 'Europe/London', 'travels'],
  ['eve', 'Eve Walker', 'Pacific/Auckland'],
  ['finn', 'Finn Rao', 'Asia/Kolkata', 'glucose'],
  ['gita', 'Gita Thapa', 'Asia/Kathmandu'],
  // Clocks change at midnight there, so one day of the year begins at 01:00.
  ['hana', 'Hana Rojas', 'America/Santiago'],
];

const ZONES = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Australia/Sydney',
] as const;

/** The named people. */
export function namedPeople(worldSeed: number): Person[] {
  return NAMED.map(([id]) => personOf(id, worldSeed)!);
}

/** All people of a seed, each generated once. */
export function populate(worldSeed: number): (id: string) => Person | undefined {
  const known = new Map<string, Person>();
  return (id) => {
    const person = known.get(id) ?? personOf(id, worldSeed);
    if (person) known.set(id, person);
    return person;
  };
}

/** A person by name, or `person-<n>` for any whole number. Undefined for other ids. */
export function personOf(id: string, worldSeed: number): Person | undefined {
  const draw = (what: string): number => chanceOf(worldSeed, id, what);
  const named = NAMED.find(([known]) => known === id);
  if (!named && !/^person-(0|[1-9]\d{0,8})$/.test(id)) return undefined;
  const timezone = named?.[2] ?? ZONES[Math.floor(draw('zone') * ZONES.length)]!;
  const travels = named ? named[3] === 'travels' : draw('travels') < 0.2;
  const seed = Math.floor(draw('seed') * 2 ** 32);
  const year = 1955 + Math.floor(draw('year') * 50);
  return {
    id,
    seed,
    name: named?.[1] ?? `Person ${id.slice('person-'.length)}`,
    email: `${id}@lab.example`,
    birthDate: `${year}-${twoDigits(1 + draw('month') * 12)}-${twoDigits(1 + draw('day of birth') * 28)}`,
    heightM: Math.round((1.55 + 0.38 * draw('height')) * 100) / 100,
    timezone,
    trips: travels ? tripsOf(seed, timezone) : [],
    wearsGlucoseSensor: named ? named[3] === 'glucose' : draw('glucose') < 0.1,
  };
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}
