import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { reconsolidateUser } from '../../services/consolidation/reconsolidate-user.ts';
import { deliver, ring } from '../../test/deliver.ts';
import { createSdkUser, phone, watch, type SdkUser } from '../../test/sdk-user.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/** What settings do to the answers, from the call to the rebuilt history. */
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
    // @contract consolidation-update/methods: `max` takes the largest value of the enabled providers
    ['max', 8000],
    // @contract consolidation-update/methods: `avg` takes their mean
    ['avg', 7000],
    // @contract consolidation-update/methods: `sum` adds them up
    ['sum', 14_000],
    // @contract consolidation-update/methods: `priority` takes the best device that has a value _(addition)_
    ['priority', 8000],
  ])('%s works on the values of providers, each with one voice', async (method, value) => {
    const user = await createPerson();
    await patch(user, { metrics: { steps: { method: 'sum' } } });
    await rebuild(user);
    await patch(user, { metrics: { steps: { method } } });
    await rebuild(user);
    expect(await shown(user, 'steps')).toEqual({ steps: value });
  });

  test.each([
    // @contract consolidation-update/methods: `max` takes the largest value of the enabled providers
    ['max', 81],
    // @contract consolidation-update/methods: `avg` takes their mean
    ['avg', 80.5],
    // @contract consolidation-update/methods: `priority` takes the best device that has a value _(addition)_
    ['priority', 80],
  ])('%s leaves out a provider that is not enabled', async (method, both) => {
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
  test('of a group holds for all of its metrics, and for no other', async () => {
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

  // @contract consolidation-update/effects: `method: null` takes the override away
  test('that is null gives back the default of the catalog', async () => {
    const user = await createPerson();
    await patch(user, { metrics: { steps: { method: 'sum' } } });
    await rebuild(user);
    expect(await settingOf(user, 'steps')).toMatchObject({ method: 'sum', overridden: true });
    const answer = await patch(user, { metrics: { steps: { method: null } } });
    expect([answer.status, answer.body.status]).toEqual([202, 'reconsolidating']);
    await rebuild(user);
    expect(await settingOf(user, 'steps')).toMatchObject({ method: 'max', overridden: false });
    expect(await shown(user, 'steps')).toEqual({ steps: 8000 });
  });
});

describe('a change', () => {
  // @contract consolidation-update/effects: 202 with `status` and `configuration`, which is what GET answers from then on
  // @contract consolidation-update/effects: Settings are stored before the answer
  // @contract consolidation-update/effects: The history is rebuilt afterwards
  // @contract consolidation-update/events: `subject.synced` follows a rebuild that changed answers, once
  test('is stored when it is answered; the history follows, and is told of when it is different', async () => {
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

  // @contract consolidation-update/events: No `subject.synced` follows a rebuild that changed no values
  test('that leaves every value as it is, is told of to nobody', async () => {
    const user = await createPerson();
    const { body } = await patch(user, { metrics: { vo2_max: { method: 'avg' } } });
    expect(body.status).toBe('reconsolidating');
    await rebuild(user);
    expect(await synced(user)).toEqual([]);
  });

  // @contract consolidation-update/effects: It is applied whole or not at all
  test('is applied whole or not at all', async () => {
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

  // @contract sleep/fields: Sessions obey the setting for the stages of sleep
  // @contract workouts/fields: Settings never change workouts
  // @contract consolidation-update/methods: A provider that is off everywhere has no part in any day
  test('of a provider for all metrics takes it out of days and sleep, and never out of workouts', async () => {
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

  // @contract consolidation-reset/effects: Methods and exclusions are gone, and answers are those of the catalog again
  // @contract consolidation-reset/effects: Connected providers and everything else of the user stay
  test('of DELETE brings back what was before any setting, and no device is gone', async () => {
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
    const answer = await app.request('DELETE', pathOf(user));
    expect(answer.status).toBe(202);
    expect(answer.body).toStrictEqual({ status: 'reconsolidating', configuration: settings });
    await rebuild(user);
    expect(await shown(user, ...types)).toEqual(values);
    expect((await app.request('GET', `/v1/users/${user.id}/devices`)).body).toEqual(devices);
  });
});

// @contract catalog/fields: Workouts are no part of it
test('the catalog has no key for workouts', async () => {
  const { body } = await app.request('GET', '/v1/consolidation/catalog');
  const keys: string[] = body.metrics.map(({ key }: { key: string }) => key);
  expect(keys.filter((key) => /workout/.test(key))).toEqual([]);
  const { body: metrics } = await app.request('GET', '/v1/metrics');
  const ofSessions = metrics.data.filter(({ kind }: { kind: string }) => kind === 'session');
  expect(ofSessions.length).toBeGreaterThan(0);
  for (const { consolidation } of ofSessions) expect(consolidation).toBeNull();
});

// @contract consolidation-preview/fields: It tells which values and which sleep would be different, and stores nothing
test('a preview tells what a change would do, and does nothing', async () => {
  const user = await createPerson();
  const { rows } = await app.admin.query('SELECT id FROM devices WHERE user_id = $1 ORDER BY device_no', [
    user.uuid,
  ]);
  const before = (await app.request('GET', pathOf(user))).body;
  const answer = await app.request('POST', `${pathOf(user)}/preview?from_date=${date}&to_date=${date}`, {
    body: { metrics: { steps: { method: 'sum' } } },
  });
  const source = { provider: 'apple_health', device_id: formatId('dev', rows[0].id) };
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
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
