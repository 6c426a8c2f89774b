import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../../ids.ts';
import { deliver } from '../../../test/data/deliver.ts';
import { createSdkUser, type SdkUser } from '../../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';

let app: TestApp;
let swimmer: SdkUser;

const start = '2026-03-01T16:05:00Z';
const swim = {
  id: 'swim',
  sport_type: 'swimming',
  start,
  end: '2026-03-01T17:05:00Z',
  name: 'Lengths',
  values: {
    distance: 2.05,
    active_calories: 402.4,
    elevation_gain: 1.5,
    steps: 12,
    avg_mets: 8.25,
    weather_temperature_c: 21.05,
    weather_humidity_pct: 44.5,
    swimming_stroke_count: 1820,
    swimming_lap_length_m: 25,
  },
  // Two readings in the first step, none in the second, one in the third and one at the very end.
  heart_rate: { start, offsets_seconds: [0, 14.5, 30, 3600], values: [100, 103, 140, 120] },
};
const bare = { id: 'bare', sport_type: 'yoga', start: '2026-03-02T07:00:00Z', end: '2026-03-02T07:30:00Z' };

beforeAll(async () => {
  app = await startTestApp();
  swimmer = await createSdkUser(app, { timezone: 'Europe/Berlin', profile: { max_heart_rate: 187 } });
  await deliver(app, swimmer, { workouts: [swim, bare] });
});
afterAll(() => app[Symbol.asyncDispose]());

function get(user: SdkUser, id: string, options: Parameters<TestApp['request']>[2] = {}) {
  return app.request('GET', `/v1/users/${user.id}/workouts/${id}`, options);
}
/** Newest first. */
async function idsOf(user: SdkUser): Promise<string[]> {
  const { body } = await app.request(
    'GET',
    `/v1/users/${user.id}/workouts?from_date=2025-10-01&to_date=2026-04-01`,
  );
  return body.data.map(({ id }: { id: string }) => id);
}
/** The detail of the only workout of a new user. */
async function detailOf(workout: object, user: object = {}) {
  const athlete = await createSdkUser(app, user);
  await deliver(app, athlete, { workouts: [workout] });
  const [id] = await idsOf(athlete);
  return (await get(athlete, id!)).body;
}

describe('200', () => {
  // @contract all/forms: Workout detail has one shape
  // @contract workout/fields: Detail has all list fields, and `name`, `metrics`, `heart_rate`; `end_time` _(addition)_
  // @contract workout/fields: `metrics` has nine measurements, each a number or null
  // @contract workout/fields: `heart_rate` has `avg_bpm`, `max_bpm`, `zones`, `samples`
  // @contract workout/fields: `zones`: `zone`, `minutes`, `min_bpm`, `max_bpm`, for all five
  test('returns every field, rounded once', async () => {
    const [, id] = await idsOf(swimmer);
    const response = await get(swimmer, id!);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('api-form')).toBeNull();
    expect(response.body).toStrictEqual({
      id,
      type: 'swimming',
      start_time: '2026-03-01T17:05:00',
      end_time: '2026-03-01T18:05:00',
      duration_minutes: 60,
      calories: 402,
      distance_km: 2.05,
      source: 'apple_health',
      // 100 for 14.5 s, 103 for 15.5 s and 140 for a minute; the last reading has no time left.
      avg_heart_rate: 127,
      max_heart_rate: 140,
      strain: null,
      name: 'Lengths',
      metrics: {
        elevation_meters: 2,
        steps: 12,
        avg_speed_kmh: 2.1,
        avg_pace_seconds_per_km: 1756,
        avg_mets: 8.3,
        weather_temperature_c: 21.1,
        weather_humidity_pct: 45,
        swimming_stroke_count: 1820,
        swimming_lap_length_m: 25,
      },
      heart_rate: {
        avg_bpm: 127,
        max_bpm: 140,
        zones: [
          { zone: 1, minutes: 0.5, min_bpm: 94, max_bpm: 112 },
          { zone: 2, minutes: 0, min_bpm: 112, max_bpm: 131 },
          { zone: 3, minutes: 1, min_bpm: 131, max_bpm: 150 },
          { zone: 4, minutes: 0, min_bpm: 150, max_bpm: 168 },
          { zone: 5, minutes: 0, min_bpm: 168, max_bpm: null },
        ],
        samples: [
          { timestamp: '2026-03-01T17:05:00', bpm: 102 },
          { timestamp: '2026-03-01T17:05:30', bpm: 140 },
          { timestamp: '2026-03-01T18:05:00', bpm: 120 },
        ],
      },
    });
  });

  // @contract workout/fields: `metrics` has nine measurements, each a number or null
  // @contract workout/fields: `heart_rate` is null without a trace
  test('returns null for unknown values', async () => {
    const [id] = await idsOf(swimmer);
    expect((await get(swimmer, id!)).body).toStrictEqual({
      id,
      type: 'yoga',
      start_time: '2026-03-02T08:00:00',
      end_time: '2026-03-02T08:30:00',
      duration_minutes: 30,
      calories: null,
      distance_km: null,
      source: 'apple_health',
      avg_heart_rate: null,
      max_heart_rate: null,
      strain: null,
      name: null,
      metrics: {
        elevation_meters: null,
        steps: null,
        avg_speed_kmh: null,
        avg_pace_seconds_per_km: null,
        avg_mets: null,
        weather_temperature_c: null,
        weather_humidity_pct: null,
        swimming_stroke_count: null,
        swimming_lap_length_m: null,
      },
      heart_rate: null,
    });
  });

  // @contract workout/fields: Speed and pace come from the source, or are derived from distance and time
  test('returns speed and pace from the source', async () => {
    const values = { distance: 10, duration: 50, avg_speed_kmh: 11.96, avg_pace_seconds_per_km: 301.4 };
    const sourceDetail = await detailOf({ ...bare, values });
    expect(sourceDetail.metrics).toMatchObject({ avg_speed_kmh: 12, avg_pace_seconds_per_km: 301 });
    const reckoned = await detailOf({ ...bare, values: { distance: 10, duration: 50 } });
    expect(reckoned.metrics).toMatchObject({ avg_speed_kmh: 12, avg_pace_seconds_per_km: 300 });
  });

  // @contract workout/fields: Means and maxima from the source take precedence over those of the trace
  test('returns heart rates from the source, even with a trace', async () => {
    const detail = await detailOf({ ...swim, values: { heart_rate_avg: 130, heart_rate_max: 150 } });
    expect(detail).toMatchObject({
      avg_heart_rate: 130,
      max_heart_rate: 150,
      heart_rate: { avg_bpm: 130, max_bpm: 150 },
    });
  });

  // @contract workout/fields: `zones`: `zone`, `minutes`, `min_bpm`, `max_bpm`, for all five
  test('uses the observed maximum heart rate for zones', async () => {
    const athlete = await createSdkUser(app);
    const daily = [
      { metric: 'heart_rate_max', date: '2025-09-03', value: 195 },
      { metric: 'heart_rate_max', date: '2025-09-02', value: 220 },
      { metric: 'heart_rate_max', date: '2026-03-02', value: 220 },
    ];
    await deliver(app, athlete, { workouts: [swim], daily });
    const { body } = await get(athlete, (await idsOf(athlete))[0]!);
    expect(body.heart_rate.zones).toMatchObject([
      { min_bpm: 98, max_bpm: 117 },
      { min_bpm: 117, max_bpm: 137 },
      { min_bpm: 137, max_bpm: 156, minutes: 1 },
      { min_bpm: 156, max_bpm: 176 },
      { min_bpm: 176, max_bpm: null },
    ]);
  });
});

describe('steps of the trace', () => {
  const reading = { start, interval_seconds: 10, values: [100, 110, 120, 130, 140, 150, 160] };
  test.each([
    // @contract workout/fields: `samples` are means over 15 seconds in workouts up to an hour
    ['15 seconds up to an hour', '17:05:00', ['17:05:00', '17:05:15', '17:05:30', '17:05:45', '17:06:00']],
    // @contract workout/fields: `samples` are means over 30 seconds in workouts longer than an hour
    ['30 seconds above an hour', '17:05:01', ['17:05:00', '17:05:30', '17:06:00']],
    // @contract workout/fields: `samples` are means over 30 seconds in workouts up to three hours
    ['30 seconds up to three hours', '19:05:00', ['17:05:00', '17:05:30', '17:06:00']],
    // @contract workout/fields: `samples` are means over a minute in workouts longer than three hours
    ['a minute above three hours', '19:05:01', ['17:05:00', '17:06:00']],
  ])('%s', async (_name, end, clock) => {
    const workout = { ...swim, end: `2026-03-01T${end}Z`, heart_rate: reading };
    const { heart_rate } = await detailOf(workout, { timezone: 'Europe/Berlin' });
    const timestamps = heart_rate.samples.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect(timestamps).toEqual(clock.map((time) => `2026-03-01T${time}`));
    expect(heart_rate.samples.at(-1).bpm).toBe(160);
    expect(heart_rate.samples[0].bpm).toBe({ 5: 105, 3: 110, 2: 125 }[clock.length]);
  });

  // @contract all/formats: Clock times of a night with a daylight saving change are local times
  // @contract workout/fields: Clock times of samples are in the user's time zone
  test('repeat an hour when the clock is set back', async () => {
    const workout = {
      ...bare,
      start: '2025-10-26T00:30:00Z',
      end: '2025-10-26T02:30:00Z',
      heart_rate: {
        start: '2025-10-26T00:30:00Z',
        interval_seconds: 1800,
        values: [100, 101, 102, 103, 104],
      },
    };
    const detail = await detailOf(workout, { timezone: 'Europe/Berlin' });
    expect(detail).toMatchObject({
      start_time: '2025-10-26T02:30:00',
      end_time: '2025-10-26T03:30:00',
      duration_minutes: 120,
    });
    const times = detail.heart_rate.samples.map(({ timestamp }: { timestamp: string }) =>
      timestamp.slice(11),
    );
    expect(times).toEqual(['02:30:00', '02:00:00', '02:30:00', '03:00:00', '03:30:00']);
  });
});

describe('400, 403, 404', () => {
  // @contract workout/fields: Workout detail accepts no parameters
  test('rejects unknown parameters', async () => {
    const [id] = await idsOf(swimmer);
    expect(await get(swimmer, `${id}?unit_system=metric`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: { fields: [{ in: 'query', name: 'unit_system' }] } },
    });
  });

  // @contract daily-2/rules: 8. A workout that is missing or belongs to another user is 404 `workout_not_found`
  // @contract workout/fields: A workout that is missing, malformed or belongs to another user is 404 `workout_not_found`
  test('returns 404 for a workout that is missing, malformed, of another user or not a workout', async () => {
    const [id] = await idsOf(swimmer);
    const other = await createSdkUser(app);
    const missing = formatId('wko', '0193b7e2-5c1f-8d4e-9f5a-3c2b1a0d9e8f');
    const responses = [
      await get(swimmer, missing),
      await get(swimmer, 'nothing'),
      await get(swimmer, id!.replace('wko_', 'slp_')),
      await get(swimmer, id!.toUpperCase()),
      await get(other, id!),
      await get(swimmer, missing, { headers: { 'if-none-match': '*' } }),
    ];
    for (const { status, body } of responses) {
      expect(status).toBe(404);
      expect(body).toStrictEqual({
        error: 'workout_not_found',
        message: expect.stringContaining('workout list'),
        details: { request_id: expect.any(String) },
      });
    }
  });

  test('returns 404 for a missing user', async () => {
    const [id] = await idsOf(swimmer);
    for (const response of [
      await get({ ...swimmer, id: 'user_unknown' }, id!),
      await get(swimmer, id!, { key: app.account.sandboxKey }),
    ])
      expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  test('lets a user token read its own workouts and no others', async () => {
    const [id] = await idsOf(swimmer);
    const { body } = await app.request('POST', '/v1/auth/user-token', { body: { user_id: swimmer.id } });
    expect((await get(swimmer, id!, { key: body.token })).status).toBe(200);
    const other = await createSdkUser(app);
    expect(await get(other, id!, { key: body.token })).toMatchObject({
      status: 403,
      body: { error: 'wrong_user' },
    });
  });

  // @contract workout/fields: A workout that the source deleted is 404 `workout_not_found`
  test('returns 404 for a workout that the source deleted', async () => {
    const athlete = await createSdkUser(app);
    await deliver(app, athlete, { workouts: [swim] });
    const [id] = await idsOf(athlete);
    await deliver(app, athlete, { deletions: [{ kind: 'workout', id: 'swim' }] });
    expect((await get(athlete, id!)).body.error).toBe('workout_not_found');
  });
});

// @contract all/caching: Workout detail
test('returns 304 until something changes, and 200 after an upload', async () => {
  const athlete = await createSdkUser(app);
  await deliver(app, athlete, { workouts: [swim] });
  const [id] = await idsOf(athlete);
  const headers = { 'if-none-match': (await get(athlete, id!)).headers.get('etag')! };
  expect(await get(athlete, id!, { headers })).toMatchObject({ status: 304, body: '' });
  await deliver(app, athlete, { workouts: [{ ...swim, name: 'Sprints' }] });
  expect(await get(athlete, id!, { headers })).toMatchObject({ status: 200, body: { name: 'Sprints' } });
});
