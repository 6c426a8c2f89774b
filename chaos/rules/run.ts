import { forEachOf, progress, type Random } from '@tributary/rig';
import {
  compareRows,
  compareSessions,
  compareTwins,
  readRows,
  type DateRange,
  type Difference,
  type Rows,
} from './compare.ts';
import { leaveInDrawer, live } from './people/live.ts';
import { createPerson, createSettings, datesOfPerson, type Person } from './people/person.ts';
import { nextDate } from './reference/calendar.ts';
import { Rules, type Canonical, type CatalogMetric, type Settings } from './reference/canonical.ts';
import type { Rule } from './reference/choose.ts';
import { collectDevices, type Batch } from './reference/uploads.ts';
import type { TestUser, World } from './world.ts';

/** Everything that the run found. */
export interface Verdict {
  /** Between the service and the reference. */
  differences: Difference[];
  counts: { uploads: number; deviceDays: number; values: number; contested: number; sessions: number };
  /** How many values each rule decided. */
  rules: Map<Rule, number>;
  /** After a device that was never worn was added. */
  drawer: { users: number; changed: Difference[]; added: number };
  /** Between users with the same uploads in another order. */
  twins: { users: number; differences: Difference[] };
}

/** A person with their uploads and settings, and what follows from them. */
interface Life {
  person: Person;
  random: Random;
  batches: Batch[];
  settings: Settings;
  user: TestUser;
  twin: TestUser | null;
  range: DateRange;
  canonical: Canonical;
  rows: Rows;
}

type Catalog = ReadonlyMap<string, CatalogMetric>;

const atOnce = 6;
/** The first of this number of users has a twin. */
const twinEvery = 4;
/** The first of this number of users merges steps, so that short runs do, too. */
const mergeEvery = 5;

/** Uploads the data of generated people and compares every canonical value with the reference. */
export async function prove(world: World, users: number, random: Random): Promise<Verdict> {
  const people = Array.from({ length: users }, (_, at) => createPerson(random.fork(`person ${at}`)));
  const created = await world.createUsers(people.map(({ timezone }) => timezone));
  const twins = await world.createUsers(
    people.filter((_, at) => at % twinEvery === 0).map(({ timezone }) => timezone),
  );
  const metrics = await world.request('GET', '/v1/metrics', created[0]!.key);
  const catalog: Catalog = new Map((metrics['data'] as CatalogMetric[]).map((metric) => [metric.id, metric]));
  const lives = people.map((person, at): Life => {
    const own = random.fork(`life ${at}`);
    const batches = live(person, own.fork('days'));
    const settings = createSettings(own.fork('settings'), person, catalog, at % mergeEvery === 0);
    const dates = datesOfPerson(person);
    return {
      person,
      random: own,
      batches,
      settings,
      user: created[at]!,
      twin: at % twinEvery === 0 ? twins[at / twinEvery]! : null,
      range: { first: nextDate(dates[0]!, -3), last: nextDate(dates.at(-1)!, 12) },
      canonical: new Rules(catalog, settings, person.timezone).apply(batches),
      rows: new Map(),
    };
  });
  await uploadAll(world, lives);
  const verdict = startVerdict(lives);
  progress(`${verdict.counts.uploads} uploads; comparing ${users} users`);
  await compareAll(world, lives, catalog, verdict);
  await compareAllTwins(world, lives, catalog, verdict);
  await addDrawers(world, lives, catalog, verdict);
  return verdict;
}

/** Uploads everything in random order, some of it twice, then changes the settings. */
async function uploadAll(world: World, lives: readonly Life[]): Promise<void> {
  await forEachOf(lives, atOnce, async ({ batches, random, user, twin }) => {
    for (const batch of random.fork('order').shuffle(batches)) {
      await world.upload(user, batch);
      if (random.chance(0.05)) await world.upload(user, batch);
    }
    if (twin)
      for (const batch of random.fork('order of the twin').shuffle(batches))
        await world.upload(twin, { ...batch, batch_id: random.uuid() });
  });
  await world.untilProcessed();
  await forEachOf(lives, atOnce, async ({ user, twin, settings }) => {
    if (Object.keys(settings).length === 0) return;
    for (const one of [user, ...(twin ? [twin] : [])])
      await world.request('PATCH', `/v1/users/${one.id}/consolidation`, one.key, settings);
  });
  await world.untilProcessed();
}

function startVerdict(lives: readonly Life[]): Verdict {
  const verdict: Verdict = {
    differences: [],
    counts: { uploads: 0, deviceDays: 0, values: 0, contested: 0, sessions: 0 },
    rules: new Map(),
    drawer: { users: 0, changed: [], added: 0 },
    twins: { users: 0, differences: [] },
  };
  const { counts, rules } = verdict;
  for (const { batches, canonical } of lives) {
    counts.uploads += batches.length;
    counts.deviceDays += canonical.deviceDays;
    counts.contested += canonical.contested;
    counts.sessions += canonical.nights.length + canonical.workouts.length;
    for (const values of canonical.days.values())
      for (const value of values.values()) {
        counts.values += 1;
        for (const rule of value.rules) rules.set(rule, (rules.get(rule) ?? 0) + 1);
      }
  }
  return verdict;
}

async function compareAll(
  world: World,
  lives: readonly Life[],
  catalog: Catalog,
  verdict: Verdict,
): Promise<void> {
  await forEachOf(lives, atOnce, async (life) => {
    const { user, batches, range, canonical } = life;
    life.rows = await readRows(world, user, range, collectDevices(batches, catalog));
    verdict.differences.push(
      ...compareRows(user.id, life.rows, canonical, catalog),
      ...(await compareSessions(world, user, range, canonical)),
    );
  });
}

async function compareAllTwins(
  world: World,
  lives: readonly Life[],
  catalog: Catalog,
  verdict: Verdict,
): Promise<void> {
  await forEachOf(lives, atOnce, async ({ user, twin, batches, range, rows }) => {
    if (!twin) return;
    const others = await readRows(world, twin, range, collectDevices(batches, catalog));
    verdict.twins.users += 1;
    verdict.twins.differences.push(...compareTwins(user.id, rows, others));
  });
}

/** Adds a watch to every user that reports zeros and was never worn. No value may change, and what appears must follow from the rules. */
async function addDrawers(
  world: World,
  lives: readonly Life[],
  catalog: Catalog,
  verdict: Verdict,
): Promise<void> {
  const drawers = lives.map(({ person, settings, random }) => {
    const own = random.fork('drawer');
    const enabled = ['apple_health', 'health_connect', 'samsung_health'].filter(
      (provider) => settings.providers?.[provider] !== false,
    );
    return leaveInDrawer(person, enabled, own);
  });
  await forEachOf(lives, atOnce, async ({ user }, at) => {
    for (const batch of drawers[at] ?? []) await world.upload(user, batch);
  });
  await world.untilProcessed();
  await forEachOf(lives, atOnce, async ({ user, person, settings, batches, range, rows }, at) => {
    const drawer = drawers[at];
    if (!drawer) return;
    const all = [...batches, ...drawer];
    const after = await readRows(world, user, range, collectDevices(all, catalog));
    const canonical = new Rules(catalog, settings, person.timezone).apply(all);
    verdict.drawer.users += 1;
    verdict.differences.push(...compareRows(user.id, after, canonical, catalog));
    for (const [key, { value }] of rows)
      if (after.get(key)?.value !== value)
        verdict.drawer.changed.push({
          user: user.id,
          at: key,
          expected: `${value}`,
          actual: `${after.get(key)?.value}`,
        });
    verdict.drawer.added += [...after.keys()].filter((key) => !rows.has(key)).length;
  });
}
