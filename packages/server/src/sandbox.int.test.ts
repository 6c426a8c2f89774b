import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runIngest } from './ingest/run-ingest.ts';
import { runScoring } from './jobs/compute-scores.ts';
import { startTestApp, type TestResponse, type TestApp } from './test/apps/test-app.ts';

const resources = new AsyncDisposableStack();
let app: TestApp;

/** The service with all workers that process sandbox data, at a fixed time of day, in the middle of a five-minute interval. */
async function startSandbox(): Promise<TestApp> {
  const started = resources.use(await startTestApp({ SANDBOX_WAIT_MS: '20000' }));
  await started.moveClock(Date.parse('2026-03-04T18:02:00Z') - Date.now());
  resources.use(await runIngest(started.ctx));
  resources.use(runScoring(started.ctx));
  return started;
}

beforeAll(async () => {
  app = await startSandbox();
});
afterAll(() => resources.disposeAsync());

async function create(on: TestApp, body: object): Promise<TestResponse> {
  return on.request('POST', '/v1/users', { key: on.account.sandboxKey, body });
}

function get(on: TestApp, path: string): Promise<TestResponse> {
  return on.request('GET', path, { key: on.account.sandboxKey });
}

function advance(user: string, days: unknown, key = app.account.sandboxKey): Promise<TestResponse> {
  return app.request('POST', `/v1/sandbox/users/${user}/advance`, { key, body: { days } });
}

const week = 'from_date=2026-02-26&to_date=2026-03-04';

describe('a new sandbox user', () => {
  test('has a week of all data with scores when the request returns', async () => {
    const created = await create(app, {
      external_ref: 'everything',
      timezone: 'Europe/Berlin',
      sandbox: { archetype: 'athlete' },
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        score_status: 'ready',
        sandbox: { archetype: 'athlete', today: '2026-03-04', days_ahead: 0 },
        profile: { sex: 'male', height_cm: 181, weight_kg: 74 },
        sync: { state: 'up_to_date', pending_batches: 0 },
      },
    });
    const { id, devices } = created.body;
    expect(devices.map(({ provider }: { provider: string }) => provider).sort()).toEqual([
      'apple_health',
      'apple_health',
      'oura',
      'withings',
    ]);
    const daily = await get(app, `/v1/users/${id}/daily?types=steps,asleep,resting_heart_rate&${week}`);
    expect(Object.values(daily.body.series).flat()).not.toContain(null);
    const sleep = await get(app, `/v1/users/${id}/sleep?${week}&limit=100`);
    const nights = sleep.body.data.filter((one: { is_main_sleep: boolean }) => one.is_main_sleep);
    expect(nights).toHaveLength(7);
    const workouts = await get(app, `/v1/users/${id}/workouts?${week}`);
    expect(workouts.body.data).toHaveLength(6);
    for (const { strain } of workouts.body.data) expect(strain).toBeGreaterThan(20);
    const samples = await get(
      app,
      `/v1/users/${id}/timeseries?metrics=heart_rate,stress_score&start_date=2026-03-02&end_date=2026-03-03`,
    );
    const metrics = samples.body.data.map(({ metric }: { metric: string }) => metric);
    expect(new Set(metrics)).toEqual(new Set(['heart_rate', 'stress_score']));
    const scores = await get(app, `/v1/users/${id}/scores?${week}`);
    const { recovery_score: recovery, ...others } = scores.body.series;
    expect(Object.values(others).flat()).not.toContain(null);
    expect(recovery.map((value: number | null) => value !== null)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    const stress = await get(app, `/v1/users/${id}/daily?types=stress_score&${week}`);
    expect(stress.body.series.stress_score.slice(0, 3)).toEqual([null, null, null]);
    expect(stress.body.series.stress_score.slice(3)).not.toContain(null);
  });

  test('has values of every metric that the interface names', async () => {
    const { body } = await create(app, { external_ref: 'all-metrics', sandbox: { archetype: 'athlete' } });
    const types = [
      'steps,distance,resting_heart_rate,heart_rate,heart_rate_variability,heart_rate_variability_rmssd',
      'active_calories,resting_energy,blood_oxygen,stress_score,exercise,asleep,deep_sleep,weight,lean_body_mass',
      'sleep_body_temperature,sleep_skin_temperature,running,cycling,swimming',
    ].join(',');
    const daily = await get(app, `/v1/users/${body.id}/daily?types=${types}&${week}`);
    expect(daily.status).toBe(200);
    for (const [metric, values] of Object.entries<(number | null)[]>(daily.body.series))
      expect(
        values.filter((value) => value !== null),
        metric,
      ).not.toEqual([]);
  });

  test('has steps of plausible length', async () => {
    const { body } = await create(app, { external_ref: 'strides', sandbox: { archetype: 'older_adult' } });
    const daily = await get(app, `/v1/users/${body.id}/daily?types=steps,distance&${week}`);
    const { steps, distance } = daily.body.series;
    const sum = (values: number[]) => values.slice(0, 6).reduce((total, value) => total + value, 0);
    const metres = (1000 * sum(distance)) / sum(steps);
    expect(metres).toBeGreaterThan(0.65);
    expect(metres).toBeLessThan(0.8);
  });

  test('is generated from its reference unless requested otherwise', async () => {
    const one = await create(app, { external_ref: 'same-reference' });
    const other = await app.request('POST', '/v1/users', {
      key: (await app.createAccount()).sandboxKey,
      body: { external_ref: 'same-reference' },
    });
    expect(other.body.sandbox.archetype).toBe(one.body.sandbox.archetype);
  });

  test('gets the profile in the request', async () => {
    const { body } = await create(app, {
      external_ref: 'own-profile',
      profile: { weight_kg: 90, sex: null },
      sandbox: { archetype: 'sedentary' },
    });
    expect(body.profile).toMatchObject({ weight_kg: 90, sex: null, height_cm: 162 });
  });

  test('can be empty', async () => {
    const { body } = await create(app, { external_ref: 'empty', sandbox: { archetype: 'none' } });
    expect(body).toMatchObject({ devices: [], score_status: 'pending', sandbox: { archetype: 'none' } });
  });

  test.each([
    [{ archetype: 'wizard' }, 'sandbox.archetype'],
    ['athlete', 'sandbox'],
  ])('is rejected as %j', async (sandbox, name) => {
    const response = await create(app, { external_ref: 'refused', sandbox });
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(response.body.details.fields[0].name).toBe(name);
  });

  test('is not available to live keys', async () => {
    const response = await app.request('POST', '/v1/users', {
      body: { external_ref: 'live', sandbox: { archetype: 'athlete' } },
    });
    expect(response).toMatchObject({ status: 400, body: { details: { fields: [{ name: 'sandbox' }] } } });
  });
});

test('generates the same values for the same reference in another installation', async () => {
  const other = await startSandbox();
  const body = { external_ref: 'twin', timezone: 'America/New_York' };
  const [here, there] = await Promise.all([create(app, body), create(other, body)]);
  const readResponses = async (on: TestApp, id: string) => {
    const paths = [
      `daily?types=steps,asleep,weight,resting_heart_rate,stress_score,training_load&${week}`,
      `scores?${week}`,
      `sleep?${week}`,
      `workouts?${week}`,
      'timeseries?metrics=heart_rate,steps,stress_score&start_date=2026-03-01&end_date=2026-03-04',
    ];
    const bodies = await Promise.all(paths.map((path) => get(on, `/v1/users/${id}/${path}`)));
    return bodies.map(({ body: responseBody }) =>
      JSON.stringify(responseBody, (key, value: unknown) => (key === 'id' ? undefined : value)),
    );
  };
  expect(await readResponses(other, there.body.id)).toEqual(await readResponses(app, here.body.id));
});

describe('advancing a sandbox user', () => {
  test('adds data, scores, events and default dates', async () => {
    const { body: user } = await create(app, { external_ref: 'passing', sandbox: { archetype: 'athlete' } });
    const before = await get(app, `/v1/users/${user.id}/scores?${week}`);
    const response = await advance(user.id, 3);
    expect(response).toMatchObject({
      status: 200,
      body: { id: user.id, sandbox: { today: '2026-03-07', days_ahead: 3 }, score_status: 'ready' },
    });
    const daily = await get(app, `/v1/users/${user.id}/daily?types=steps,asleep&from_date=2026-02-26`);
    expect(daily.body.to_date).toBe('2026-03-07');
    expect(Object.values(daily.body.series).flat()).not.toContain(null);
    const scores = await get(app, `/v1/users/${user.id}/scores?types=sleep_score,recovery_score`);
    expect(scores.body.to_date).toBe('2026-03-07');
    expect(scores.body.series.sleep_score.slice(-10)).not.toContain(null);
    expect(scores.body.latest.recovery_score.date).toBe('2026-03-07');
    const nights = await get(app, `/v1/users/${user.id}/sleep?limit=5`);
    expect(nights.body.data[0].date).toBe('2026-03-07');
    // Complete days stay unchanged: only the day in progress changes.
    const after = await get(app, `/v1/users/${user.id}/scores?${week}`);
    for (const [type, values] of Object.entries<number[]>(before.body.series))
      expect(after.body.series[type].slice(0, 5)).toEqual(values.slice(0, 5));
    const { rows } = await app.admin.query(
      `SELECT type, count(*)::int AS n FROM events e JOIN users u ON u.id = e.user_id WHERE u.reference_id = 'passing' GROUP BY type`,
    );
    const counts = Object.fromEntries(rows.map(({ type, n }) => [type, n]));
    expect(counts['device.connected']).toBe(4);
    expect(counts['data.updated']).toBeGreaterThanOrEqual(2);
    expect(counts['score.updated']).toBeGreaterThanOrEqual(2);
  });

  test('gives the same result at once or day by day', async () => {
    const body = (reference: string) => ({
      external_ref: reference,
      sandbox: { archetype: 'office_worker' },
    });
    const seed = async (reference: string) => {
      const { body: user } = await create(app, body(reference));
      // The same seed generates the same data.
      await app.admin.query(
        `UPDATE users SET sandbox = sandbox || '{"seed": "12345678"}' WHERE reference_id = $1`,
        [reference],
      );
      return user.id as string;
    };
    const [one, other] = [await seed('at-once'), await seed('one-by-one')];
    await advance(one, 4);
    for (let day = 0; day < 4; day += 1) await advance(other, 1);
    const read = async (id: string) =>
      (await get(app, `/v1/users/${id}/daily?types=steps,asleep,REM,dietary_energy&from_date=2026-03-06`))
        .body.series;
    expect(await read(other)).toEqual(await read(one));
  });

  test('adds data of the same health store to users of earlier versions', async () => {
    const { body: user } = await create(app, { external_ref: 'early', sandbox: { archetype: 'sedentary' } });
    // Earlier versions simulated the same devices for all archetypes, and did not store a platform.
    await app.admin.query(
      `UPDATE users SET sandbox = (sandbox - 'platform') || '{"archetype": "older_adult"}' WHERE reference_id = 'early'`,
    );
    const { body } = await advance(user.id, 2);
    const providers = body.devices.map(({ provider }: { provider: string }) => provider);
    expect(new Set(providers)).toEqual(new Set(['apple_health', 'oura', 'withings']));
    const daily = await get(app, `/v1/users/${user.id}/daily?types=steps,heart_rate&from_date=2026-03-05`);
    expect(Object.values(daily.body.series).flat()).not.toContain(null);
  });

  test('adds no data of a removed device', async () => {
    const { body: user } = await create(app, { external_ref: 'no-ring', sandbox: { archetype: 'athlete' } });
    const ring = user.devices.find(({ provider }: { provider: string }) => provider === 'oura');
    await app.request('DELETE', `/v1/users/${user.id}/devices/${ring.id}`, { key: app.account.sandboxKey });
    const { body } = await advance(user.id, 1);
    expect(body.devices.map(({ provider }: { provider: string }) => provider)).not.toContain('oura');
  });

  test('also works for a user that is not simulated', async () => {
    const { body: user } = await create(app, { external_ref: 'unknown', sandbox: { archetype: 'none' } });
    expect((await advance(user.id, 2)).body.sandbox).toEqual({
      archetype: 'none',
      today: '2026-03-06',
      days_ahead: 2,
    });
  });

  test('applies each concurrent request once', async () => {
    const { body: user } = await create(app, { external_ref: 'at-the-same-time' });
    await Promise.all([advance(user.id, 1), advance(user.id, 1), advance(user.id, 1)]);
    expect((await get(app, `/v1/users/${user.id}`)).body.data.sandbox.days_ahead).toBe(3);
  });

  test.each([[-1], [32], [1.5], ['1'], [null], [undefined]])('rejects %j days', async (days) => {
    const { body: user } = await create(app, {
      external_ref: `refused-${String(days)}`,
      sandbox: { archetype: 'none' },
    });
    const response = await advance(user.id, days);
    expect(response).toMatchObject({
      status: 400,
      body: { details: { fields: [{ in: 'body', name: 'days' }] } },
    });
  });

  test('allows at most a year ahead', async () => {
    const { body: user } = await create(app, { external_ref: 'far', sandbox: { archetype: 'none' } });
    await app.admin.query(`UPDATE users SET days_ahead = 360 WHERE reference_id = 'far'`);
    expect((await advance(user.id, 6)).status).toBe(200);
    expect(await advance(user.id, 1)).toMatchObject({
      status: 400,
      body: { details: { fields: [{ in: 'body', name: 'days' }] } },
    });
  });

  test('rejects other users', async () => {
    const live = await app.request('POST', '/v1/users', { body: { external_ref: 'real' } });
    expect((await advance(live.body.id, 1, app.account.liveKey)).status).toBe(404);
    expect((await advance(live.body.id, 1)).status).toBe(404);
    const { body: user } = await create(app, { external_ref: 'other', sandbox: { archetype: 'none' } });
    expect((await advance(user.id, 1, app.account.liveKey)).status).toBe(404);
    expect((await advance(user.id, 1, (await app.createAccount()).sandboxKey)).status).toBe(404);
    expect((await advance('user_nonsense', 1)).status).toBe(404);
  });
});
