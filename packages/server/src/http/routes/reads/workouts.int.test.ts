import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../../ids.ts';
import { chestStrap, deliver } from '../../../test/data/deliver.ts';
import { createSdkUser, watch, type SdkUser } from '../../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';

let app: TestApp;
let runner: SdkUser;
let deviceId: string;

/** Two minutes at 100, one at 139.5, half a minute at 180 and no readings for the rest of ten minutes. */
const trace = {
  start: '2026-03-01T16:05:00Z',
  offsets_seconds: [0, 60, 120, 180, 210],
  values: [100, 100, 139.5, 180, 60],
};
const run = {
  id: 'run',
  sport_type: 'running',
  start: '2026-03-01T16:05:00Z',
  end: '2026-03-01T16:47:45Z',
  name: 'Evening run',
  values: {
    duration: 41.5,
    distance: 7.846,
    active_calories: 511.5,
    heart_rate_avg: 147.6,
    heart_rate_max: 171.2,
    elevation_gain: 96.4,
  },
  heart_rate: trace,
};
/** A workout with only its start and end, and an unknown sport. */
const bare = {
  id: 'bare',
  sport_type: 'quidditch',
  start: '2026-03-02T00:30:00Z',
  end: '2026-03-02T01:15:20Z',
};

beforeAll(async () => {
  app = await startTestApp();
  const profile = { max_heart_rate: 200 };
  runner = await createSdkUser(app, { timezone: 'America/Los_Angeles', profile });
  await deliver(app, runner, { workouts: [run, bare] });
  const { rows } = await app.admin.query('SELECT id FROM devices WHERE user_id = $1', [runner.uuid]);
  deviceId = formatId('dev', rows[0].id);
});
afterAll(() => app[Symbol.asyncDispose]());

function read(query: string, of = runner, options: Parameters<TestApp['request']>[2] = {}) {
  return app.request('GET', `/v1/users/${of.id}/workouts${query}`, options);
}
/** Both workouts are on this day in Los Angeles. */
const form1 = '?start_date=2026-03-01&end_date=2026-03-01';
const form2 = '?from_date=2026-03-01&to_date=2026-03-01';
const source = () => ({
  provider: 'apple_health',
  device_id: deviceId,
  original_value: null,
  original_unit: null,
});

const run1 = {
  id: expect.stringMatching(/^wko_[0-9a-z]{26}$/),
  date: '2026-03-01',
  sport_type: 'running',
  start: '2026-03-01T16:05:00.000Z',
  end: '2026-03-01T16:47:45.000Z',
  duration: 42,
  distance: 7.85,
  active_calories: 512,
  heart_rate_avg: 148,
  heart_rate_max: 171,
  heart_rate_zones: { zone_1: 2, zone_2: 1, zone_3: 0, zone_4: 0, zone_5: 0.5 },
  elevation_gain: 96,
};
const run2 = {
  id: expect.stringMatching(/^wko_[0-9a-z]{26}$/),
  type: 'running',
  start_time: '2026-03-01T08:05:00',
  duration_minutes: 42,
  calories: 512,
  distance_km: 7.85,
  source: 'apple_health',
  avg_heart_rate: 148,
  max_heart_rate: 171,
  strain: null,
};

describe('200 in Form 1', () => {
  // @contract workouts/fields: Form 1: `sport_type`, `start`, `end`, `duration`, `distance`, `active_calories`, `heart_rate_avg`, `heart_rate_max`, `heart_rate_zones`, `elevation_gain`
  // @contract workouts/fields: Form 1: `heart_rate_zones` has `zone_1` to `zone_5`, in minutes
  // @contract workouts/fields: Fields that the source did not supply are null
  // @contract workouts/fields: An unknown sport is `other`
  test('returns every field, rounded once, and null for unknown values', async () => {
    const response = await read(form1);
    expect(response.status).toBe(200);
    expect(response.headers.get('api-form')).toBe('1');
    expect(response.body).toStrictEqual({
      data: [
        {
          id: expect.stringMatching(/^wko_[0-9a-z]{26}$/),
          date: '2026-03-01',
          sport_type: 'other',
          start: '2026-03-02T00:30:00.000Z',
          end: '2026-03-02T01:15:20.000Z',
          duration: 45,
          distance: null,
          active_calories: null,
          heart_rate_avg: null,
          heart_rate_max: null,
          heart_rate_zones: null,
          elevation_gain: null,
        },
        run1,
      ],
      meta: { page: 1, per_page: 20, total: 2 },
    });
  });

  // @contract all/units: Workouts in Form 1 convert distance; `elevation_gain` stays in meters, because it names no unit
  test('converts only the distance with imperial units and keeps meters of elevation', async () => {
    const response = await read(`${form1}&unit_system=imperial`);
    expect(response.body.data[1]).toStrictEqual({ ...run1, distance: 4.88, elevation_gain: 96 });
    expect((await read(`${form1}&unit_system=metric`)).body.data[1]).toStrictEqual(run1);
  });

  // @contract workouts/fields: Form 1: `include_sources=true` adds `source`
  test('returns sources on request', async () => {
    const response = await read(`${form1}&include_sources=true`);
    expect(response.body.data[1]).toStrictEqual({ ...run1, source: source() });
    expect((await read(`${form1}&include_sources=false`)).body.data[1]).toStrictEqual(run1);
  });

  // @contract workouts/pages: Form 1: the total is exact, also past the last page
  test('returns numbered pages with an exact total', async () => {
    const page = (query: string) => read(`${form1}&${query}`);
    expect((await page('per_page=1')).body).toMatchObject({
      data: [{ sport_type: 'other' }],
      meta: { page: 1, per_page: 1, total: 2 },
    });
    expect((await page('page=2&per_page=1')).body).toMatchObject({
      data: [{ sport_type: 'running' }],
      meta: { page: 2, per_page: 1, total: 2 },
    });
    const past = await page('page=1000000000&per_page=100');
    expect(past.body).toStrictEqual({ data: [], meta: { page: 1_000_000_000, per_page: 100, total: 2 } });
    for (const [start, end] of [
      ['2026-03-02', '2026-03-05'],
      ['1900-01-01', '1900-12-31'],
      ['2200-01-01', '2200-12-31'],
    ]) {
      const elsewhere = await read(`?start_date=${start}&end_date=${end}`);
      expect(elsewhere.body).toStrictEqual({ data: [], meta: { page: 1, per_page: 20, total: 0 } });
    }
  });
});

describe('200 in Form 2', () => {
  // @contract all/formats: Clock times in Form 2 have no offset and are in the time zone of the profile
  // @contract workouts/fields: Form 2: `id`, `type`, `start_time`, `duration_minutes`, `calories`, `distance_km`, `source`, `avg_heart_rate`, `max_heart_rate`, `strain`
  // @contract workouts/fields: Form 2: `from_date`, `to_date`, `data`, `next_cursor`
  // @contract workouts/fields: Fields that the source did not supply are null
  test('returns every field with local clock times, and null for unknown values', async () => {
    const response = await read(form2);
    expect(response.headers.get('api-form')).toBe('2');
    expect(response.body).toStrictEqual({
      from_date: '2026-03-01',
      to_date: '2026-03-01',
      data: [
        {
          id: expect.stringMatching(/^wko_[0-9a-z]{26}$/),
          type: 'other',
          start_time: '2026-03-01T16:30:00',
          duration_minutes: 45,
          calories: null,
          distance_km: null,
          source: 'apple_health',
          avg_heart_rate: null,
          max_heart_rate: null,
          strain: null,
        },
        run2,
      ],
      next_cursor: null,
    });
  });

  // @contract all/units: Fields with a unit in their name are never converted: workouts
  test('ignores imperial units and returns sources next to the provider', async () => {
    const response = await read(`${form2}&unit_system=imperial&include_sources=true`);
    expect(response.body.data[1]).toStrictEqual({ ...run2, source_detail: source() });
  });

  // @contract workouts/fields: Both forms return the same workouts
  test('returns the same workouts in both forms', async () => {
    const ids = async (query: string) => (await read(query)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids(form1)).toEqual(await ids(form2));
  });
});

// @contract workouts/fields: A workout that several devices report is returned once
test('returns a workout of two devices once, from the better-ranked one', async () => {
  const rower = await createSdkUser(app);
  const row = { sport_type: 'rowing', start: '2026-03-01T08:00:00Z', end: '2026-03-01T09:00:00Z' };
  await deliver(
    app,
    rower,
    { device: watch, workouts: [{ ...row, id: 'w', values: { heart_rate_avg: 120 } }] },
    { device: chestStrap, workouts: [{ ...row, id: 's', values: { heart_rate_avg: 130 } }] },
  );
  const { body } = await read(form2, rower);
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).toMatchObject({ type: 'rowing', avg_heart_rate: 130, source: 'health_connect' });
  expect((await read(form1, rower)).body.meta.total).toBe(1);
});

// @contract workouts/fields: Heart rates are derived from the trace when the source reports none
test('derives heart rates from the trace when the source reports none', async () => {
  const walker = await createSdkUser(app);
  const { values: _values, ...withoutValues } = run;
  await deliver(app, walker, { workouts: [withoutValues] });
  // 100 for two minutes, 139.5 for one, 180 for half a minute, and 60 for the minute after the last reading.
  const mean = Math.round((2 * 100 + 139.5 + 0.5 * 180 + 60) / 4.5);
  expect((await read(form2, walker)).body.data[0]).toMatchObject({
    duration_minutes: 43,
    avg_heart_rate: mean,
    max_heart_rate: 180,
    distance_km: null,
  });
});

describe('zones', () => {
  const zonesFor = async (user: SdkUser) => (await read(form1, user)).body.data[0].heart_rate_zones;
  const withTrace = { ...run, values: {} };

  // @contract workouts/fields: Zones use the maximum heart rate of the profile, then the observed maximum, then age
  test('use the current profile, then the observed maximum, then age', async () => {
    const user = await createSdkUser(app, { profile: { birth_date: '1966-03-01' } });
    await deliver(app, user, { workouts: [withTrace] });
    // 60 years old on that day: 166. 100 is in zone 2, 139.5 in zone 4 and 180 in zone 5.
    const ofAge = { zone_1: 0, zone_2: 2, zone_3: 0, zone_4: 1, zone_5: 0.5 };
    expect(await zonesFor(user)).toEqual(ofAge);
    // Too low to be a maximum, too long ago, and after the workout: none of them counts.
    const daily = [
      { metric: 'heart_rate_max', date: '2026-02-01', value: 141 },
      { metric: 'heart_rate_max', date: '2025-09-02', value: 230 },
      { metric: 'heart_rate_max', date: '2026-03-02', value: 230 },
    ];
    await deliver(app, user, { daily });
    expect(await zonesFor(user)).toEqual(ofAge);
    // The first of the 180 days: 200.
    await deliver(app, user, { daily: [{ metric: 'heart_rate_max', date: '2025-09-03', value: 200 }] });
    expect(await zonesFor(user)).toEqual({ zone_1: 2, zone_2: 1, zone_3: 0, zone_4: 0, zone_5: 0.5 });
    await app.request('PATCH', `/v1/users/${user.id}`, { body: { profile: { max_heart_rate: 150 } } });
    expect(await zonesFor(user)).toEqual({ zone_1: 0, zone_2: 2, zone_3: 0, zone_4: 0, zone_5: 1.5 });
  });

  // @contract workouts/fields: Form 1: `heart_rate_zones` has `zone_1` to `zone_5`, in minutes
  test('assume a maximum of 185 without any of these', async () => {
    const user = await createSdkUser(app);
    const values = [92, 92.5, 110, 111, 129, 129.5, 148, 166, 166.5];
    const heart_rate = { start: run.start, interval_seconds: 60, values };
    await deliver(app, user, { workouts: [{ ...withTrace, heart_rate }] });
    expect(await zonesFor(user)).toEqual({ zone_1: 2, zone_2: 2, zone_3: 1, zone_4: 2, zone_5: 1 });
  });
});

const problems: [query: string, name: string, problem: string][] = [
  // @contract workouts/invalid: Form 1: `end_date` missing
  ['?start_date=2026-03-02', 'end_date', 'is required'],
  // @contract workouts/invalid: Form 1: `start_date` missing
  ['?page=2', 'start_date', 'is required'],
  // @contract workouts/invalid: Form 1: `end_date` that is not a calendar date
  ['?start_date=2026-03-02&end_date=2026-13-01', 'end_date', 'must be a calendar date, YYYY-MM-DD'],
  // @contract workouts/invalid: Form 1: `start_date` after `end_date`
  ['?start_date=2026-03-03&end_date=2026-03-02', 'start_date', 'must not be later than `end_date`'],
  // @contract workouts/invalid: Form 1: a range that is too long
  ['?start_date=2025-03-01&end_date=2026-03-02', 'end_date', 'must be within 366 days of `start_date`'],
  // @contract workouts/invalid: Form 1: `page` of 0
  [`${form1}&page=0`, 'page', 'must be at least 1'],
  // @contract workouts/invalid: Form 1: `page` above its maximum
  [`${form1}&page=1000000001`, 'page', 'must be at most 1000000000'],
  // @contract workouts/invalid: Form 1: `per_page` of 0
  [`${form1}&per_page=0`, 'per_page', 'must be at least 1'],
  // @contract workouts/invalid: Form 1: `per_page` above 100
  [`${form1}&per_page=101`, 'per_page', 'must be at most 100'],
  // @contract workouts/invalid: Form 1: `per_page` that is not an integer
  [`${form1}&per_page=1.5`, 'per_page', 'must be an integer'],
  // @contract workouts/invalid: Form 2: `from_date` in another format
  ['?from_date=20260302', 'from_date', 'must be a calendar date, YYYY-MM-DD'],
  // @contract workouts/invalid: Form 2: `from_date` after `to_date`
  ['?from_date=2026-03-03&to_date=2026-03-02', 'from_date', 'must not be later than `to_date`'],
  // @contract workouts/invalid: Form 2: a range that is too long
  ['?from_date=2025-03-01&to_date=2026-03-02', 'to_date', 'must be within 366 days of `from_date`'],
  // @contract workouts/invalid: Form 2: `limit` of 0
  ['?limit=0', 'limit', 'must be at least 1'],
  // @contract workouts/invalid: Form 2: `limit` above 100
  ['?limit=101', 'limit', 'must be at most 100'],
  // @contract workouts/invalid: `include_sources` that is neither true nor false
  ['?include_sources=yes', 'include_sources', 'must be true or false'],
  // @contract workouts/invalid: `unit_system` in uppercase
  ['?unit_system=Imperial', 'unit_system', 'must be one of metric, imperial'],
  // @contract workouts/invalid: An unknown parameter
  ['?sport_type=running', 'sport_type', 'is not supported by this endpoint'],
];

describe('400', () => {
  test.each(problems)('%s', async (query, name, problem) => {
    const response = await read(query);
    expect(response).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: { fields: [{ in: 'query', name }] } },
    });
    expect(response.body.details.fields[0].problem).toContain(problem);
  });

  // @contract all/forms: Sleep and workouts reject fields of both forms with 400 `mixed_forms`
  test('rejects fields of both forms', async () => {
    expect(await read(`${form2}&page=1`)).toMatchObject({ status: 400, body: { error: 'mixed_forms' } });
  });
});

describe('401, 403, 404', () => {
  test('lets a user token read its own user and no other', async () => {
    const { body } = await app.request('POST', '/v1/auth/user-token', { body: { user_id: runner.id } });
    expect((await read(form1, runner, { key: body.token })).body.meta.total).toBe(2);
    const other = await createSdkUser(app);
    expect(await read(form1, other, { key: body.token })).toMatchObject({
      status: 403,
      body: { error: 'wrong_user' },
    });
    expect((await read(form1, runner, { key: '' })).status).toBe(401);
  });

  test('returns 404 for a user that is missing or not visible to this key', async () => {
    for (const query of [form1, form2]) {
      expect(await read(query, runner, { key: app.account.sandboxKey })).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
    }
  });
});

describe('304', () => {
  test.each([
    // @contract all/caching: Workouts, Form 1
    form1,
    // @contract all/caching: Workouts, Form 2
    form2,
  ])('returns 304 for %s until something changes, and 200 after an upload', async (query) => {
    const user = await createSdkUser(app, { timezone: 'America/Los_Angeles' });
    await deliver(app, user, { workouts: [run] });
    const first = await read(query, user);
    const headers = { 'if-none-match': first.headers.get('etag')! };
    expect(await read(query, user, { headers })).toMatchObject({ status: 304, body: '' });
    await deliver(app, user, { workouts: [bare] });
    const changed = await read(query, user, { headers });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toHaveLength(2);
  });

  // @contract all/caching: Workouts: a profile change changes zones, and so the response
  test('returns a new response when a profile change affects zones', async () => {
    const user = await createSdkUser(app);
    const headers = { 'if-none-match': (await read(form1, user)).headers.get('etag')! };
    await app.request('PATCH', `/v1/users/${user.id}`, { body: { profile: { max_heart_rate: 150 } } });
    expect((await read(form1, user, { headers })).status).toBe(200);
  });
});
