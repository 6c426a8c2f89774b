import type { Random } from '@tributary/rig';
import { nextDate } from '../reference/calendar.ts';
import type { CatalogMetric, Settings } from '../reference/canonical.ts';
import type { Method } from '../reference/choose.ts';

/** A device of a generated person. */
export interface PersonDevice {
  provider: string;
  id: string;
  kind: string;
  /** When its first upload is created, if it syncs on the first day. */
  firstSyncMs: number;
}

export interface Person {
  timezone: string;
  first: string;
  days: number;
  devices: PersonDevice[];
}

/** Time zones, each with a first day that brings a clock change into the following weeks. */
const places = [
  ['Europe/Berlin', '2026-03-12'],
  ['Europe/Berlin', '2025-10-08'],
  ['America/New_York', '2025-10-20'],
  ['America/Santiago', '2025-08-25'],
  ['Australia/Lord_Howe', '2026-03-22'],
  ['Asia/Kolkata', '2026-02-10'],
  ['UTC', '2026-01-05'],
] as const;
const phones = { apple_health: 'phone', health_connect: 'phone', samsung_health: 'phone' };
const kinds = [
  [6, 'watch'],
  [4, 'ring'],
  [2, 'band'],
  [2, 'phone'],
  [2, 'scale'],
  [2, 'meter'],
  [1, 'manual'],
  [1, 'chest_strap'],
  [1, 'headband'],
  [1, 'bed_sensor'],
  [1, 'bike_computer'],
  [1, 'food_app'],
  [1, 'other'],
] as const;
const dayMs = 86_400_000;

/** Two to five devices. Most people have a store with several devices, and many have a second one. */
export function createPerson(random: Random): Person {
  const [timezone, first] = random.pick(places);
  const providers = random.shuffle(Object.keys(phones)).slice(
    0,
    random.weighted([
      [2, 1],
      [4, 2],
      [2, 3],
    ]),
  );
  const firstMs = Date.parse(`${first}T00:00:00Z`);
  const devices = Array.from({ length: random.int(2, 5) }, (_, at): PersonDevice => {
    const provider = at < providers.length ? providers[at]! : random.pick(providers);
    const kind = at === 0 ? phones[provider as keyof typeof phones] : random.weighted(kinds);
    return {
      provider,
      kind,
      id: `${kind}-${random.int(1, 99)}${at}`,
      firstSyncMs: firstMs + dayMs + at * 60_000,
    };
  });
  return { timezone, first, days: random.int(20, 40), devices };
}

export const datesOfPerson = ({ first, days }: Person): string[] =>
  Array.from({ length: days }, (_, at) => nextDate(first, at));

const settable = [
  'steps',
  'distance',
  'active_calories',
  'heart_rate',
  'heart_rate_max',
  'heart_rate_variability_rmssd',
  'resting_heart_rate',
  'weight',
  'blood_pressure',
  'body_composition',
  'sleep_stages',
  'running',
];

/** Kinds of devices that count movement. */
export const moving: ReadonlySet<string> = new Set([
  'watch',
  'ring',
  'band',
  'phone',
  'bike_computer',
  'other',
]);
/** Changed methods and disabled providers, or the defaults. */
export function createSettings(
  random: Random,
  person: Person,
  catalog: ReadonlyMap<string, CatalogMetric>,
  hasMerge: boolean,
): Settings {
  const settings =
    hasMerge || random.chance(0.65) ? changeSettings(random, person, catalog) : { metrics: {} };
  if (hasMerge) settings.metrics['steps'] = { method: 'merge' };
  return settings;
}

function changeSettings(
  random: Random,
  person: Person,
  catalog: ReadonlyMap<string, CatalogMetric>,
): Required<Pick<Settings, 'metrics'>> & Settings {
  const providers = [...new Set(person.devices.map(({ provider }) => provider))];
  const allowed = new Map(
    [...catalog.values()].flatMap(({ consolidation }) =>
      consolidation ? [[consolidation.key, consolidation.allowed_methods] as const] : [],
    ),
  );
  const metrics: NonNullable<Settings['metrics']> = {};
  for (const key of settable) {
    const setting: { method?: Method; providers?: Record<string, boolean> } = {};
    if (random.chance(0.5)) setting.method = random.pick(allowed.get(key)!);
    if (providers.length > 1 && random.chance(0.15)) setting.providers = { [random.pick(providers)]: false };
    if (Object.keys(setting).length > 0) metrics[key] = setting;
  }
  if (providers.length < 3 || random.chance(0.7)) return { metrics };
  return { metrics, providers: { [random.pick(providers)]: false } };
}
