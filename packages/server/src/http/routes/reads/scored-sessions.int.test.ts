import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { datesFrom } from '../../../test/data/scored-user.ts';
import { scoreThrough } from '../../../test/data/score-through.ts';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../../test/data/uploads.ts';

/** Scores of parts of a day: stress per five minutes, strain per workout. */

let app: TestApp;
let ada: PhoneUser;
const nowMs = Date.parse('2026-03-10T12:00:00Z');
const repeat = (count: number, value: number) => Array.from({ length: count }, () => value);
/** One value per minute, from nine o'clock in Berlin. */
const heartRate = (date: string, values: number[]) => ({
  metric: 'heart_rate',
  start: `${date}T08:00:00Z`,
  interval_seconds: 60,
  values,
});

beforeAll(async () => {
  app = await startTestApp();
  await app.moveClock(nowMs - app.ctx.clock.now());
  ada = await createPhoneUser(app, {
    timezone: 'Europe/Berlin',
    profile: { sex: 'female', max_heart_rate: 180 },
  });
  await ada.upload(
    { id: 'watch' },
    {
      series: [
        ...datesFrom('2026-03-04', 4).map((date) => heartRate(date, repeat(600, 60))),
        // From nine in the morning to seven in the evening: calm, then stressed.
        heartRate('2026-03-08', [...repeat(300, 60), ...repeat(300, 70)]),
      ],
      workouts: [
        {
          id: 'run',
          sport_type: 'running',
          start: '2026-03-08T18:30:00Z',
          end: '2026-03-08T19:00:00Z',
          heart_rate: { start: '2026-03-08T18:30:00Z', interval_seconds: 60, values: repeat(30, 150) },
        },
        {
          id: 'lift',
          sport_type: 'strength_training',
          start: '2026-03-07T18:30:00Z',
          end: '2026-03-07T19:20:00Z',
          values: { session_rpe: 7 },
        },
        { id: 'walk', sport_type: 'walking', start: '2026-03-06T19:30:00Z', end: '2026-03-06T20:00:00Z' },
      ],
    },
  );
  await workThrough(app);
  await scoreThrough(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const samples = (query: string, id = ada.id) => app.request('GET', `/v1/users/${id}/timeseries?${query}`);
const on = (date: string, last = date) => `start_date=${date}&end_date=${last}`;
const at = (timestamp: string, value: number) => ({
  timestamp: `${timestamp}.000Z`,
  metric: 'stress_score',
  value,
  unit: 'score',
});

describe('timeseries of stress_score', () => {
  // @contract timeseries/fields: `stress_score` has a sample for every five minutes awake at rest; their mean is the score of the day
  test('has a sample per counted five minutes, in order, whose mean is the score of the day', async () => {
    const { status, body } = await samples(`metrics=stress_score&${on('2026-03-08')}`);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(120);
    // The norm is 60 beats with a spread of √(14 × 8² ÷ 18) = 7.06: 60 is 30, 70 is 100 ÷ (1 + e^(ln(7/3) − 1.1 × 1.417)) = 67.1.
    expect(body.data[0]).toEqual(at('2026-03-08T08:00:00', 30));
    expect(body.data[59]).toEqual(at('2026-03-08T12:55:00', 30));
    expect(body.data[60]).toEqual(at('2026-03-08T13:00:00', 67.1));
    expect(body.data[119]).toEqual(at('2026-03-08T17:55:00', 67.1));
    const times = body.data.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect(times).toEqual(times.toSorted());
    const history = await app.request(
      'GET',
      `/v1/users/${ada.id}/scores/history?types=stress_score&${on('2026-03-08')}`,
    );
    expect(history.body.data[0].value).toBe(48.5);
  });

  // @contract timeseries/fields: `stress_score` has a sample for every five minutes awake at rest; their mean is the score of the day
  test('is empty on days without a norm and for a user without data', async () => {
    expect((await samples(`metrics=stress_score&${on('2026-03-04', '2026-03-06')}`)).body).toEqual({
      data: [],
    });
    expect((await samples(`metrics=stress_score&${on('2026-03-07')}`)).body.data).toHaveLength(120);
    const userWithoutData = await createPhoneUser(app);
    expect((await samples(`metrics=stress_score&${on('2026-03-08')}`, userWithoutData.id)).body).toEqual({
      data: [],
    });
  });

  // @contract timeseries/fields: `stress_score` can be combined with other metrics, ordered by time, and with `resolution`
  test('is ordered with other metrics by time, and at the same time in the requested order', async () => {
    for (const metrics of ['heart_rate,stress_score', 'stress_score,heart_rate']) {
      const { body } = await samples(`metrics=${metrics}&${on('2026-03-08')}`);
      expect(body.data).toHaveLength(720);
      const times = body.data.map(({ timestamp }: { timestamp: string }) => timestamp);
      expect(times).toEqual(times.toSorted());
      expect(body.data.slice(0, 2).map(({ metric }: { metric: string }) => metric)).toEqual(
        metrics.split(','),
      );
    }
  });

  // @contract timeseries/fields: `stress_score` can be combined with other metrics, ordered by time, and with `resolution`
  test('is averaged by resolution', async () => {
    const { body } = await samples(`metrics=stress_score&${on('2026-03-08')}&resolution=60m`);
    expect(body.data).toHaveLength(10);
    expect(body.data[4]).toEqual(at('2026-03-08T12:00:00', 30));
    expect(body.data[5]).toEqual(at('2026-03-08T13:00:00', 67.1));
    const whole = await samples(`metrics=stress_score,heart_rate&${on('2026-03-08')}&resolution=1440m`);
    expect(whole.body.data).toEqual([
      at('2026-03-07T23:00:00', 48.6), // the mean of 30.0 and 67.1, which are stored in tenths
      { timestamp: '2026-03-07T23:00:00.000Z', metric: 'heart_rate', value: 65, unit: 'bpm' },
    ]);
  });

  // @contract timeseries/fields: `source` of `stress_score` is null
  test('has no device as source', async () => {
    const { body } = await samples(
      `metrics=stress_score,heart_rate&${on('2026-03-08')}&include_sources=true`,
    );
    expect(body.data[0]).toEqual({ ...at('2026-03-08T08:00:00', 30), source: null });
    expect(body.data[1].source).toMatchObject({ provider: 'apple_health', original_value: 60 });
  });

  test('covers several days, whatever the other metrics have', async () => {
    const { body } = await samples(`metrics=blood_oxygen,stress_score&${on('2026-03-01', '2026-03-10')}`);
    expect(body.data).toHaveLength(240);
  });
});

describe('strain of a workout', () => {
  const dates = 'from_date=2026-03-06&to_date=2026-03-08';
  const workouts = async () =>
    (await app.request('GET', `/v1/users/${ada.id}/workouts?${dates}`)).body.data as {
      id: string;
      type: string;
      strain: number | null;
    }[];

  // @contract workouts/fields: `strain` is computed from the load of the workout itself, and is null when the load is unknown
  test('is computed from its own load, and is null when the load is unknown', async () => {
    // 75 % of the reserve for half an hour: 30 × 0.86 × 0.75 × e^(1.67 × 0.75) = 67.7. Rated 7 for 50 minutes: 0.3 × 7 × 50 = 105.
    expect((await workouts()).map(({ type, strain }) => [type, strain])).toEqual([
      ['running', 45.4],
      ['strength_training', 56.2],
      ['walking', null],
    ]);
  });

  // @contract workout/fields: `strain` is the same as in the list
  test('is the same in the workout detail', async () => {
    for (const { id, strain } of await workouts()) {
      const { body } = await app.request('GET', `/v1/users/${ada.id}/workouts/${id}`);
      expect(body.strain).toBe(strain);
    }
  });

  // @contract workouts/fields: `strain` appears once the scores of the day are computed
  test('is null until the scores are computed, and then invalidates the response', async () => {
    const user = await createPhoneUser(app);
    await user.upload(
      { id: 'watch' },
      {
        workouts: [
          {
            id: 'x',
            sport_type: 'yoga',
            start: '2026-03-08T10:00:00Z',
            end: '2026-03-08T10:50:00Z',
            values: { session_rpe: 7 },
          },
        ],
      },
    );
    await workThrough(app);
    const path = `/v1/users/${user.id}/workouts?${dates}`;
    const before = await app.request('GET', path);
    expect(before.body.data[0].strain).toBeNull();
    await scoreThrough(app);
    const headers = { 'if-none-match': before.headers.get('etag')! };
    const after = await app.request('GET', path, { headers });
    expect([after.status, after.body.data[0].strain]).toEqual([200, 56.2]);
  });
});
