import { forEachOf, LocalDays, progress, type Random } from '@tributary/rig';
import { compareDaily } from './compare/compare-daily.ts';
import { compareSleep } from './compare/compare-sleep.ts';
import { compareTimeseries, sampledMetrics } from './compare/compare-timeseries.ts';
import { compareWorkouts } from './compare/compare-workouts.ts';
import { Comparison, type Difference } from './compare/differences.ts';
import { modelUser } from './model/user-model.ts';
import { readNormalized } from './model/normalized.ts';
import { ModelSettings } from './model/settings.ts';
import { dayMs, daysOfLife, personaOf, type Persona } from './people/personas.ts';
import { someChange } from './people/settings.ts';
import { uploadOf } from './people/uploads.ts';
import type { TestUser, World } from './world.ts';

/** The result of the comparison. */
export interface EqualityVerdict {
  differences: Difference[];
  compared: Map<string, number>;
  uploads: number;
  /** Number of daily values compared, of those that several devices reported, and of those combined from several devices. */
  values: { all: number; contested: number; ofSeveral: number };
  changes: Map<string, number>;
}

/** A user and their current state. */
interface Life {
  who: TestUser;
  persona: Persona;
  random: Random;
  days: LocalDays;
  settings: ModelSettings;
}

const atOnce = 8;

/**
 * Users upload, change settings, change time zones and remove devices. Compares everything that the API returns for them with what follows
 * from the normalized tables: once after the first uploads, and once after all changes.
 */
export async function proveEquality(world: World, users: number, random: Random): Promise<EqualityVerdict> {
  const personas = Array.from({ length: users }, (_, at) => personaOf(random.fork(`person ${at}`)));
  const everyone = await world.createUsers(personas, random.fork('ids'));
  const lives = personas.map((persona, at): Life => ({
    who: everyone[at]!,
    persona,
    random: random.fork(`life ${at}`),
    days: new LocalDays(persona.timezone),
    settings: new ModelSettings(),
  }));
  const verdict: EqualityVerdict = {
    differences: [],
    compared: new Map(),
    uploads: 0,
    values: { all: 0, contested: 0, ofSeveral: 0 },
    changes: new Map(),
  };
  await forEachOf(lives, atOnce, (life) => begin(world, life, verdict));
  await world.untilProcessed();
  progress(`${verdict.uploads} uploads; comparing ${users} users`);
  await compareAll(world, lives, verdict);
  await forEachOf(lives, atOnce, (life) => move(world, life, verdict));
  await world.untilProcessed();
  await forEachOf(lives, atOnce, (life) => live(world, life, verdict));
  await world.untilProcessed();
  progress(`${verdict.uploads} uploads; comparing after changes`);
  await compareAll(world, lives, verdict);
  return verdict;
}

async function begin(world: World, { who, persona, random }: Life, verdict: EqualityVerdict): Promise<void> {
  for (const device of persona.devices)
    for (let left = random.int(2, 3); left > 0; left -= 1) {
      await world.upload(who, uploadOf(random, persona, device));
      verdict.uploads += 1;
    }
}

/** Turns some devices into cloud devices and changes the time zone, which recomputes all days with the new ranks. */
async function move(world: World, life: Life, verdict: EqualityVerdict): Promise<void> {
  const { who, persona } = life;
  for (const { provider, id, cloud } of persona.devices)
    if (cloud !== null)
      await world.admin.query(
        `UPDATE devices d SET provider = $4, on_device = false WHERE user_id = $1 AND provider = $2 AND stable_id = $3
         AND NOT EXISTS (SELECT FROM devices o WHERE o.user_id = $1 AND o.provider = $4 AND o.stable_id = $3 AND o.device_no <> d.device_no)`,
        [who.userId, provider, id, cloud],
      );
  if (persona.nextTimezone !== null) await travel(world, life, persona.nextTimezone, verdict);
}

/** Changes the time zone for all days, from a date on, or from now on, which is later than all data. */
async function travel(world: World, life: Life, timezone: string, verdict: EqualityVerdict): Promise<void> {
  const { who, persona, random, days } = life;
  const date = dateOf(persona.firstMs + random.int(-1, daysOfLife) * dayMs);
  const timezone_effective_from = random.pick(['all', 'all', date, date, undefined]);
  await world.must('PATCH', `/v1/users/${who.id}`, who.key, { timezone, timezone_effective_from });
  if (timezone_effective_from === 'all') life.days = new LocalDays(timezone);
  else if (timezone_effective_from === date) life.days = new LocalDays(timezone, { earlier: days, date });
  count(verdict, 'timezones');
}

/** Uploads, changes settings and time zones, and removes devices, in random order and without waiting for the effects. */
async function live(world: World, life: Life, verdict: EqualityVerdict): Promise<void> {
  const { who, persona, random, settings } = life;
  const path = `/v1/users/${who.id}`;
  const upload = async () => {
    await world.upload(who, uploadOf(random, persona, random.pick(persona.devices)));
    verdict.uploads += 1;
  };
  const change = async () => {
    const { data } = await world.get(who, 'devices');
    const providers = [...new Set((data as { provider: string }[]).map(({ provider }) => provider))];
    const patch = someChange(random, providers, persona.interests);
    await world.must('PATCH', `${path}/consolidation`, who.key, patch);
    settings.apply(patch);
    count(verdict, 'settings');
  };
  const reset = async () => {
    await world.must('DELETE', `${path}/consolidation`, who.key);
    settings.reset();
    count(verdict, 'resets');
  };
  const lose = async () => {
    const devices: { id: string }[] = (await world.get(who, 'devices')).data;
    if (devices.length < 2) return;
    await world.must('DELETE', `${path}/devices/${random.pick(devices).id}`, who.key);
    count(verdict, 'devices removed');
  };
  const steps = [
    upload,
    change,
    ...(random.chance(0.6) ? [change] : []),
    ...(random.chance(0.5) ? [upload] : []),
  ];
  if (random.chance(0.1)) steps.push(reset);
  if (random.chance(0.25)) steps.push(lose);
  if (random.chance(0.2)) steps.push(() => travel(world, life, persona.timezone, verdict));
  for (const step of random.shuffle(steps)) await step();
}

async function compareAll(world: World, lives: readonly Life[], verdict: EqualityVerdict): Promise<void> {
  await forEachOf(lives, atOnce, async (life) => {
    const { who, persona, random, settings, days } = life;
    const normalized = await readNormalized(world.admin, who.userId);
    const model = modelUser(normalized, settings, days, sampledMetrics);
    const comparison = new Comparison(who.id);
    const dates = datesOf(persona);
    const limit = random.int(1, 9);
    await compareDaily(world, who, model, dates, comparison);
    await compareSleep(world, who, model, dates, limit, comparison);
    await compareWorkouts(world, who, persona, model, dates, limit, comparison);
    await compareTimeseries(world, who, model, dates, random.pick(['metric', 'imperial']), comparison);
    for (const [key, { contributors }] of model.canonicalValues) {
      verdict.values.all += 1;
      if ([...model.readings.values()].filter((own) => own.has(key)).length > 1)
        verdict.values.contested += 1;
      if (contributors.length > 1) verdict.values.ofSeveral += 1;
    }
    verdict.differences.push(...comparison.differences);
    for (const [read, number] of comparison.compared)
      verdict.compared.set(read, (verdict.compared.get(read) ?? 0) + number);
  });
}

/** All dates that any data can count for, in any time zone. */
function datesOf({ firstMs }: Persona): string[] {
  return Array.from({ length: daysOfLife + 5 }, (_, at) => dateOf(firstMs + (at - 2) * dayMs));
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function count({ changes }: EqualityVerdict, what: string): void {
  changes.set(what, (changes.get(what) ?? 0) + 1);
}
