import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsolidationSettings, Method } from '@tributary/domain';
import { inTransaction } from '../../store/database/database.ts';
import { readStoredValues } from '../../test/data/stored-values.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';
import { reconsolidateUser } from '../consolidation/reconsolidate-user.ts';
import { rebuildUser } from './rebuild-user.ts';

/** One day of a user with two trackers and a phone, worn at different hours, with the counts per minute. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const date = '2026-03-01';
const phone = { id: 'phone', kind: 'phone', provider: 'apple_health' };
const watch = { id: 'watch', kind: 'watch', provider: 'apple_health' };
const band = { id: 'band', kind: 'band', provider: 'health_connect' };

type Upload = readonly [device: { id: string; kind: string; provider: string }, content: object];

/** Steps for every minute of an hour. */
const hourOf = (hour: number, perMinute: number) => ({
  metric: 'steps',
  start: `${date}T${String(hour).padStart(2, '0')}:00:00Z`,
  interval_seconds: 60,
  values: Array.from({ length: 60 }, () => perMinute),
});

// Morning: only the phone. Noon: only the watch. Evening: watch and band count the same, minute by minute.
const walks: readonly Upload[] = [
  [phone, { series: [hourOf(7, 50)] }],
  [watch, { series: [hourOf(12, 80)] }],
  [watch, { series: [hourOf(18, 30), hourOf(19, 20)] }],
  [band, { series: [hourOf(18, 30), hourOf(19, 20)] }],
];
const [morning, noon, evening] = [60 * 50, 60 * 80, 60 * 30 + 60 * 20];

async function upload(user: PhoneUser, uploads: readonly Upload[]): Promise<void> {
  for (const [device, content] of uploads) await user.upload(device, content);
}

/** Sets what the API would, without checking which providers are connected yet. */
const set = (user: PhoneUser, settings: ConsolidationSettings) =>
  app.admin.query('UPDATE users SET consolidation = $2 WHERE id = $1', [user.uuid, settings]);

async function setAndRebuild(user: PhoneUser, settings: ConsolidationSettings): Promise<void> {
  await set(user, settings);
  await reconsolidateUser(app.ctx, user.uuid);
}

async function userWith(
  uploads: readonly Upload[],
  settings: ConsolidationSettings = {},
): Promise<PhoneUser> {
  const user = await createPhoneUser(app);
  await upload(user, uploads);
  await workThrough(app);
  await setAndRebuild(user, settings);
  return user;
}

const valueOf = async (user: PhoneUser, metric: string) =>
  (await readStoredValues(app, user.uuid)).values[`${metric} ${date}`] ?? null;

describe('steps of a day on which no device was worn all the time', () => {
  const bySettings = (method: Method): ConsolidationSettings =>
    method === 'priority' ? {} : { metrics: { steps: { method } } };

  const store = ['apple_health/watch', 'apple_health/phone'];
  test.each([
    // The watch and the phone are in one health store and count together. The band is the second provider.
    // @contract consolidation-update/methods: `merge` combines the intervals of the day and counts overlapping time once _(addition)_
    ['merge', morning + noon + evening, 'apple_health/watch', ['apple_health/watch', 'apple_health/phone']],
    ['priority', morning + noon + evening, 'apple_health/watch', store],
    ['max', morning + noon + evening, 'apple_health/watch', store],
    ['sum', morning + noon + 2 * evening, 'apple_health/watch', [...store, 'health_connect/band']],
    ['avg', (morning + noon + 2 * evening) / 2, 'apple_health/watch', [...store, 'health_connect/band']],
  ] as const)('by %s are %i', async (method, value, source, contributors) => {
    const user = await userWith(walks, bySettings(method));
    expect(await valueOf(user, 'steps')).toEqual({ value, source, contributors });
  });

  test('by merge are the same if the data arrives after the setting, in any order', async () => {
    const settings = bySettings('merge');
    const expected = await readStoredValues(app, (await userWith(walks, settings)).uuid);
    const orders = fc.sample(fc.shuffledSubarray([...walks], { minLength: walks.length }), 6);
    for (const order of orders) {
      const user = await createPhoneUser(app);
      await set(user, settings);
      for (const one of order) {
        await upload(user, [one]);
        await workThrough(app);
      }
      expect(await readStoredValues(app, user.uuid)).toEqual(expected);
    }
  });

  test.each(['raw', 'normalized'] as const)('by merge are the same after a rebuild from %s', async (from) => {
    const user = await userWith(walks, bySettings('merge'));
    const before = await readStoredValues(app, user.uuid);
    const { changed } = await inTransaction(app.ctx.operator, (tx) =>
      rebuildUser(app.ctx, tx, user.uuid, from),
    );
    expect(changed).toBe(false);
    expect(await readStoredValues(app, user.uuid)).toEqual(before);
  });

  // @contract consolidation-update/methods: `merge` uses the largest total if there are only totals _(addition)_
  test('by merge are the largest total on a day with only totals', async () => {
    const totals: Upload[] = [
      [watch, { daily: [{ metric: 'steps', date, value: 4_000 }] }],
      [band, { daily: [{ metric: 'steps', date, value: 6_000 }] }],
    ];
    const user = await userWith(totals, bySettings('merge'));
    expect(await valueOf(user, 'steps')).toMatchObject({ value: 6_000, source: 'health_connect/band' });
  });
});

describe('a disabled provider', () => {
  const apple = { apple_health: false } as const;

  test('contributes to no metric, and contributes again after it is enabled', async () => {
    const user = await userWith(walks);
    const before = await readStoredValues(app, user.uuid);
    await setAndRebuild(user, { providers: apple });
    expect(await valueOf(user, 'steps')).toMatchObject({ value: evening, source: 'health_connect/band' });
    await setAndRebuild(user, {});
    expect(await readStoredValues(app, user.uuid)).toEqual(before);
  });

  // @contract consolidation-update/methods: A provider disabled for one metric still contributes to the others
  test('for one metric still contributes to the others', async () => {
    const distance = { daily: [{ metric: 'distance', date, value: 7 }] };
    const user = await userWith([...walks, [watch, distance]]);
    await setAndRebuild(user, { metrics: { steps: { providers: apple } } });
    expect(await valueOf(user, 'steps')).toMatchObject({ value: evening });
    expect(await valueOf(user, 'distance')).toMatchObject({ value: 7, source: 'apple_health/watch' });
  });

  test('does not contribute to a merged day', async () => {
    const user = await userWith(walks, {
      metrics: { steps: { method: 'merge', providers: { health_connect: false } } },
    });
    expect(await valueOf(user, 'steps')).toMatchObject({ value: morning + noon + evening });
    await setAndRebuild(user, { metrics: { steps: { method: 'merge', providers: apple } } });
    expect(await valueOf(user, 'steps')).toMatchObject({ value: evening, source: 'health_connect/band' });
  });

  // @contract consolidation-update/methods: A value that only an excluded provider reports becomes null
  test('leaves no value if it was the only one', async () => {
    const user = await userWith(walks.filter(([device]) => device !== band));
    await setAndRebuild(user, { providers: apple });
    expect(Object.keys((await readStoredValues(app, user.uuid)).values)).toEqual([`workout_count ${date}`]);
  });

  test('also changes the total energy derived from its parts', async () => {
    const energy = (active: number, resting: number) => ({
      daily: [
        { metric: 'active_calories', date, value: active },
        { metric: 'resting_energy', date, value: resting },
      ],
    });
    const user = await userWith([
      [watch, energy(500, 1_600)],
      [band, energy(300, 1_500)],
    ]);
    expect(await valueOf(user, 'total_energy')).toMatchObject({ value: 2_100, source: null });
    await setAndRebuild(user, { metrics: { active_calories: { providers: apple } } });
    expect(await valueOf(user, 'total_energy')).toMatchObject({ value: 1_900, source: null });
  });
});

describe('sessions', () => {
  const ring = { id: 'ring', kind: 'ring', provider: 'apple_health' };
  const night = (id: string, from: string, to: string) => ({
    sleep: [{ id, start: `2026-02-28T${from}:00Z`, end: `${date}T${to}:00Z`, minutes: { asleep: 400 } }],
  });
  const run = (id: string) => ({
    workouts: [{ id, sport_type: 'running', start: `${date}T10:00:00Z`, end: `${date}T10:40:00Z` }],
  });
  const nights: readonly Upload[] = [
    [ring, { ...night('r', '22:30', '06:30'), ...run('r') }],
    [band, night('b', '22:40', '06:40')],
  ];
  const apple = { apple_health: false } as const;

  test.each([
    // @contract sleep/fields: Sessions follow the consolidation setting for sleep stages
    ['for sleep stages', { metrics: { sleep_stages: { providers: apple } } }],
    ['for all metrics', { providers: apple }],
  ])('replaces sleep sessions of a provider disabled %s, and keeps its workouts', async (_name, settings) => {
    const user = await userWith(nights);
    const before = await readStoredValues(app, user.uuid);
    expect(before.sleep).toEqual({ [date]: ['apple_health/ring/r'] });
    await setAndRebuild(user, settings);
    const after = await readStoredValues(app, user.uuid);
    expect(after.sleep).toEqual({ [date]: ['health_connect/band/b'] });
    expect(after.values[`bedtime ${date}`]!.value - before.values[`bedtime ${date}`]!.value).toBe(10);
    expect(after.workouts).toEqual({ [date]: ['apple_health/ring/r'] });
    await setAndRebuild(user, {});
    expect(await readStoredValues(app, user.uuid)).toEqual(before);
  });

  test('removes sleep sessions and their values if no other device recorded sleep', async () => {
    const user = await userWith([nights[0]!]);
    await setAndRebuild(user, { metrics: { sleep_stages: { providers: apple } } });
    const { sleep, workouts, values } = await readStoredValues(app, user.uuid);
    expect(sleep).toEqual({});
    expect(workouts).toEqual({ [date]: ['apple_health/ring/r'] });
    expect(Object.keys(values).filter((key) => /^(asleep|bedtime|wake_time|nap_count)/.test(key))).toEqual(
      [],
    );
  });

  test('applies the setting to sleep sessions that arrive afterwards', async () => {
    const settings = { metrics: { sleep_stages: { providers: apple } } };
    const user = await createPhoneUser(app);
    await set(user, settings);
    await upload(user, nights);
    await workThrough(app);
    const expected = await readStoredValues(app, (await userWith(nights, settings)).uuid);
    expect(await readStoredValues(app, user.uuid)).toEqual(expected);
    expect(expected.sleep).toEqual({ [date]: ['health_connect/band/b'] });
  });
});

describe('providers and kinds', () => {
  const heart = (value: number) => ({ daily: [{ metric: 'resting_heart_rate', date, value }] });

  // @contract consolidation-update/methods: The watch and phone of one provider count as one value
  test('the watch and phone of one provider count as one value for avg', async () => {
    const uploads: Upload[] = [
      [watch, heart(50)],
      [phone, heart(90)],
      [band, heart(60)],
    ];
    const user = await userWith(uploads, { metrics: { resting_heart_rate: { method: 'avg' } } });
    expect(await valueOf(user, 'resting_heart_rate')).toMatchObject({ value: 55 });
  });

  test('the watch and phone of one provider count as one value for sum', async () => {
    const steps = (value: number) => ({ daily: [{ metric: 'steps', date, value }] });
    const uploads: Upload[] = [
      [watch, steps(5_000)],
      [phone, steps(4_000)],
      [band, steps(300)],
    ];
    const user = await userWith(uploads, { metrics: { steps: { method: 'sum' } } });
    expect(await valueOf(user, 'steps')).toMatchObject({ value: 5_300 });
  });

  // @contract consolidation-update/methods: One kind of heart rate variability never replaces the other
  test('one kind of heart rate variability never replaces the other', async () => {
    const uploads: Upload[] = [
      [watch, { daily: [{ metric: 'heart_rate_variability', date, value: 48 }] }],
      [band, { daily: [{ metric: 'heart_rate_variability_rmssd', date, value: 61 }] }],
    ];
    const user = await userWith(uploads);
    const both = async () => [
      await valueOf(user, 'heart_rate_variability'),
      await valueOf(user, 'heart_rate_variability_rmssd'),
    ];
    expect(await both()).toMatchObject([{ value: 48 }, { value: 61 }]);
    await setAndRebuild(user, { providers: { apple_health: false } });
    expect(await both()).toMatchObject([null, { value: 61 }]);
    await setAndRebuild(user, { providers: { health_connect: false } });
    expect(await both()).toMatchObject([{ value: 48 }, null]);
  });
});
