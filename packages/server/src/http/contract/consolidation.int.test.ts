import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { reconsolidateUser } from '../../services/consolidation/reconsolidate-user.ts';
import { deliver, ring } from '../../test/data/deliver.ts';
import { createSdkUser, phone, watch, type SdkUser } from '../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

/** The effect of settings on values, from the request to the recomputed history. */
let app: TestApp;
const date = '2026-03-01';
const night = { start: '2026-02-28T22:00:00Z', end: '2026-03-01T06:00:00Z' };
const run = { sport_type: 'running', start: '2026-03-01T16:00:00Z', end: '2026-03-01T17:00:00Z' };

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A watch and a phone of one provider, and a ring of another. */
async function createPerson(): Promise<SdkUser> {
  const user = await createSdkUser(app);
  const steps = (value: number) => ({ metric: 'steps', date, value });
  await deliver(
    app,
    user,
    {
      device: watch,
      daily: [steps(8000), { metric: 'weight', date, value: 80 }],
      sleep: [{ id: 'w', ...night, minutes: { asleep: 400, deep: 60 } }],
      workouts: [{ id: 'run-w', ...run, values: { distance: 10 } }],
    },
    { device: phone, daily: [steps(5000)] },
    {
      device: ring,
      daily: [steps(6000), { metric: 'weight', date, value: 81 }],
      sleep: [{ id: 'r', ...night, minutes: { asleep: 420, deep: 90 } }],
    },
  );
  return user;
}

const pathOf = ({ id }: SdkUser) => `/v1/users/${id}/consolidation`;
const patch = (user: SdkUser, body: object) => app.request('PATCH', pathOf(user), { body });
const settingOf = async (user: SdkUser, key: string) =>
  (await app.request('GET', pathOf(user))).body.metrics.find((one: { key: string }) => one.key === key);
const rebuild = ({ uuid }: SdkUser) => reconsolidateUser(app.ctx, uuid);

async function shown(user: SdkUser, ...types: string[]) {
  const query = `types=${types.join()}&from_date=${date}&to_date=${date}`;
  const { body } = await app.request('GET', `/v1/users/${user.id}/daily?${query}`);
  return Object.fromEntries(types.map((type) => [type, body.series[type][0]]));
}

async function synced({ uuid }: SdkUser) {
  const { rows } = await app.admin.query(
    `SELECT data FROM events WHERE user_id = $1 AND type = 'subject.synced' ORDER BY xid, id`,
    [uuid],
  );
  return rows.map(({ data }) => data);
}

describe('a method', () => {
  test.each([
    // @contract consolidation-update/methods: `max` uses the largest value of the enabled providers
    ['max', 8000],
    // @contract consolidation-update/methods: `avg` uses the mean of the enabled providers
    ['avg', 7000],
    // @contract consolidation-update/methods: `sum` uses the sum of the enabled providers
    ['sum', 14_000],
    // @contract consolidation-update/methods: `priority` uses the best-ranked device that has a value _(addition)_
    ['priority', 8000],
  ])('%s combines the values of providers, one per provider', async (method, value) => {
    const user = await createPerson();
    await patch(user, { metrics: { steps: { method: 'sum' } } });
    await rebuild(user);
    await patch(user, { metrics: { steps: { method } } });
    await rebuild(user);
    expect(await shown(user, 'steps')).toEqual({ steps: value });
  });

  test.each([
    // @contract consolidation-update/methods: `max` uses the largest value of the enabled providers
    ['max', 81],
    // @contract consolidation-update/methods: `avg` uses the mean of the enabled providers
    ['avg', 80.5],
    // @contract consolidation-update/methods: `priority` uses the best-ranked device that has a value _(addition)_
    ['priority', 80],
  ])('%s leaves out a disabled provider', async (method, both) => {
    const user = await createPerson();
    await patch(user, { metrics: { weight: { method } } });
    await rebuild(user);
    expect(await shown(user, 'weight')).toEqual({ weight: both });
    await patch(user, { metrics: { weight: { providers: { apple_health: false } } } });
    await rebuild(user);
    expect(await shown(user, 'weight')).toEqual({ weight: 81 });
    await patch(user, { metrics: { weight: { providers: { apple_health: true, health_connect: false } } } });
    await rebuild(user);
    expect(await shown(user, 'weight')).toEqual({ weight: 80 });
  });

  // @contract catalog/fields: A group applies one setting to all of its metrics
  test('of a group applies to all of its metrics and to no other', async () => {
    const user = await createPerson();
    expect(await shown(user, 'asleep', 'deep_sleep')).toEqual({ asleep: 420, deep_sleep: 90 });
    await patch(user, { metrics: { sleep_stages: { method: 'avg' } } });
    await rebuild(user);
    expect(await shown(user, 'asleep', 'deep_sleep', 'steps')).toEqual({
      asleep: 410,
      deep_sleep: 75,
      steps: 8000,
    });
  });

  // @contract consolidation-update/effects: `method: null` removes the override
  test('that is null restores the catalog default', async () => {
    const user = await createPerson();
    await patch(user, { metrics: { steps: { method: 'sum' } } });
    await rebuild(user);
    expect(await settingOf(user, 'steps')).toMatchObject({ method: 'sum', overridden: true });
    const response = await patch(user, { metrics: { steps: { method: null } } });
    expect([response.status, response.body.status]).toEqual([202, 'reconsolidating']);
    await rebuild(user);
    expect(await settingOf(user, 'steps')).toMatchObject({ method: 'priority', overridden: false });
    expect(await shown(user, 'steps')).toEqual({ steps: 8000 });
  });
});

describe('a change', () => {
  // @contract consolidation-update/effects: 202 with `status` and `configuration`, which GET returns from then on
  // @contract consolidation-update/effects: Settings are stored before the response is sent
  // @contract consolidation-update/effects: The history is recomputed afterwards
  // @contract consolidation-update/events: A recompute that changes values sends `subject.synced` once
  test('is stored before the response; the history follows, with an event if it changed', async () => {
    const user = await createPerson();
    const { body } = await patch(user, { metrics: { steps: { method: 'sum' } } });
    expect(body.status).toBe('reconsolidating');
    expect((await app.request('GET', pathOf(user))).body).toStrictEqual(body.configuration);
    expect(await shown(user, 'steps')).toEqual({ steps: 8000 });
    expect(await synced(user)).toEqual([]);
    await rebuild(user);
    expect(await shown(user, 'steps')).toEqual({ steps: 14_000 });
    expect(await synced(user)).toEqual([
      { change: 'updated', first_date: date, last_date: date, backfill: false },
    ]);
  });

  // @contract consolidation-update/events: A recompute that changes no values sends no `subject.synced`
  test('that changes no value sends no event', async () => {
    const user = await createPerson();
    const { body } = await patch(user, { metrics: { vo2_max: { method: 'avg' } } });
    expect(body.status).toBe('reconsolidating');
    await rebuild(user);
    expect(await synced(user)).toEqual([]);
  });

  // @contract consolidation-update/effects: A request is applied completely or not at all
  test('is applied completely or not at all', async () => {
    const user = await createPerson();
    const before = (await app.request('GET', pathOf(user))).body;
    const refused = await patch(user, {
      metrics: { steps: { method: 'sum' }, weight: { providers: { apple_health: false, oura: false } } },
      providers: { health_connect: false },
    });
    expect([refused.status, refused.body.error]).toEqual([422, 'invalid_provider']);
    expect((await app.request('GET', pathOf(user))).body).toStrictEqual(before);
    await rebuild(user);
    expect(await shown(user, 'steps', 'weight')).toEqual({ steps: 8000, weight: 80 });
  });

  // @contract sleep/fields: Sessions follow the consolidation setting for sleep stages
  // @contract workouts/fields: Settings never affect workouts
  // @contract consolidation-update/methods: A provider that is disabled for all metrics contributes to no day
  test('that disables a provider for all metrics removes it from days and sleep but not from workouts', async () => {
    const user = await createPerson();
    const list = (name: string) =>
      app.request('GET', `/v1/users/${user.id}/${name}?from_date=${date}&to_date=${date}`);
    const workouts = (await list('workouts')).body;
    expect(workouts.data).toMatchObject([{ distance_km: 10, source: 'apple_health' }]);
    await patch(user, { providers: { apple_health: false } });
    await rebuild(user);
    expect(await shown(user, 'steps', 'weight', 'asleep')).toEqual({ steps: 6000, weight: 81, asleep: 420 });
    await patch(user, { providers: { apple_health: true, health_connect: false } });
    await rebuild(user);
    expect((await list('sleep')).body.data).toMatchObject([{ asleep_minutes: 400, source: 'apple_health' }]);
    await patch(user, { providers: { apple_health: false } });
    await rebuild(user);
    expect(await shown(user, 'steps', 'weight', 'asleep')).toEqual({
      steps: null,
      weight: null,
      asleep: null,
    });
    expect((await list('sleep')).body.data).toEqual([]);
    expect((await list('workouts')).body).toEqual(workouts);
  });

  // @contract consolidation-reset/effects: Methods and exclusions are removed, and values use the catalog defaults again
  // @contract consolidation-reset/effects: Connected providers and all other data of the user are unchanged
  test('by DELETE restores the original values and removes no device', async () => {
    const user = await createPerson();
    const types = ['steps', 'weight', 'asleep', 'deep_sleep'];
    const [values, settings] = [await shown(user, ...types), (await app.request('GET', pathOf(user))).body];
    const devices = (await app.request('GET', `/v1/users/${user.id}/devices`)).body;
    await patch(user, {
      metrics: { steps: { method: 'sum' }, sleep_stages: { method: 'avg' } },
      providers: { apple_health: false },
    });
    await rebuild(user);
    expect(await shown(user, ...types)).not.toEqual(values);
    const response = await app.request('DELETE', pathOf(user));
    expect(response.status).toBe(202);
    expect(response.body).toStrictEqual({ status: 'reconsolidating', configuration: settings });
    await rebuild(user);
    expect(await shown(user, ...types)).toEqual(values);
    expect((await app.request('GET', `/v1/users/${user.id}/devices`)).body).toEqual(devices);
  });
});

// @contract catalog/fields: Workouts are not in the catalog
test('has no catalog key for workouts', async () => {
  const { body } = await app.request('GET', '/v1/consolidation/catalog');
  const keys: string[] = body.metrics.map(({ key }: { key: string }) => key);
  expect(keys.filter((key) => /workout/.test(key))).toEqual([]);
  const { body: metrics } = await app.request('GET', '/v1/metrics');
  const ofSessions = metrics.data.filter(({ kind }: { kind: string }) => kind === 'session');
  expect(ofSessions.length).toBeGreaterThan(0);
  for (const { consolidation } of ofSessions) expect(consolidation).toBeNull();
});

// @contract consolidation-preview/fields: The preview lists the values and sleep sessions that would change, and stores nothing
test('previews the effect of a change without applying it', async () => {
  const user = await createPerson();
  const { rows } = await app.admin.query(`SELECT id FROM devices WHERE user_id = $1 AND kind = 'watch'`, [
    user.uuid,
  ]);
  const before = (await app.request('GET', pathOf(user))).body;
  const response = await app.request('POST', `${pathOf(user)}/preview?from_date=${date}&to_date=${date}`, {
    body: { metrics: { steps: { method: 'sum' } } },
  });
  const source = { provider: 'apple_health', device_id: formatId('dev', rows[0].id) };
  expect(response.status).toBe(200);
  expect(response.body).toStrictEqual({
    from_date: date,
    to_date: date,
    changed: true,
    metrics: [
      {
        metric: 'steps',
        unit: 'count',
        days_changed: 1,
        changes: [{ date, before: 8000, after: 14_000, source_before: source, source_after: source }],
      },
    ],
    sleep: { days_changed: 0, changes: [] },
  });
  await rebuild(user);
  expect(await shown(user, 'steps')).toEqual({ steps: 8000 });
  expect((await app.request('GET', pathOf(user))).body).toStrictEqual(before);
  expect(await synced(user)).toEqual([]);
});
