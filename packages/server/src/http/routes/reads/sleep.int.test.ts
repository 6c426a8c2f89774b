import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../../ids.ts';
import { chestStrap, deliver, ring } from '../../../test/data/deliver.ts';
import { createSdkUser, watch, type SdkUser } from '../../../test/data/sdk-user.ts';
import { startTestApp, type TestResponse, type TestApp } from '../../../test/apps/test-app.ts';

let app: TestApp;
let user: SdkUser;

/** A night whose durations are not whole minutes. */
const night = {
  id: 'night',
  start: '2026-03-01T21:48:30Z',
  end: '2026-03-02T05:36:10Z',
  stages: [
    { stage: 'awake', start: '2026-03-01T21:48:30Z', end: '2026-03-01T22:03:30Z' },
    { stage: 'light', start: '2026-03-01T22:03:30Z', end: '2026-03-02T02:01:00Z' },
    { stage: 'deep', start: '2026-03-02T02:01:00Z', end: '2026-03-02T03:25:20Z' },
    { stage: 'rem', start: '2026-03-02T03:25:20Z', end: '2026-03-02T05:09:00Z' },
    { stage: 'awake', start: '2026-03-02T05:09:00Z', end: '2026-03-02T05:36:10Z' },
  ],
  vitals: {
    sleep_heart_rate: 54.4,
    sleep_heart_rate_variability: 61.55,
    sleep_respiratory_rate: 14.24,
    sleep_blood_oxygen: 96.42,
    sleep_body_temperature: 36.555,
    sleep_skin_temperature: 34.614,
    sleep_wrist_temperature: 33.333,
  },
};
/** A night with only its start and end. */
const nap = { id: 'nap', start: '2026-03-02T13:00:00Z', end: '2026-03-02T14:00:29.500Z' };

beforeAll(async () => {
  app = await startTestApp();
  user = await createSdkUser(app, { timezone: 'Europe/Berlin' });
  await deliver(app, user, { sleep: [night, nap] });
});
afterAll(() => app[Symbol.asyncDispose]());

function read(query: string, of = user, options: Parameters<TestApp['request']>[2] = {}) {
  return app.request('GET', `/v1/users/${of.id}/sleep${query}`, options);
}
const form1 = '?start_date=2026-03-02&end_date=2026-03-02';
const form2 = '?from_date=2026-03-02&to_date=2026-03-02';

async function deviceIdOf({ id }: SdkUser): Promise<string> {
  return (await app.request('GET', `/v1/users/${id}/devices`)).body.data[0].id;
}

const wholeNight1 = {
  id: expect.stringMatching(/^slp_[0-9a-z]{26}$/),
  date: '2026-03-02',
  start: '2026-03-01T21:48:30.000Z',
  end: '2026-03-02T05:36:10.000Z',
  asleep: 426,
  time_awake: 42,
  light_sleep: 238,
  deep_sleep: 84,
  REM: 104,
  restorative_sleep: 188,
  time_in_bed: 468,
  sleep_efficiency: 91,
  sleep_heart_rate: 54,
  sleep_heart_rate_variability: 61.6,
  sleep_respiratory_rate: 14.2,
  sleep_blood_oxygen: 96.4,
  sleep_body_temperature: 36.56,
  sleep_skin_temperature: 34.61,
  sleep_wrist_temperature: 33.33,
};
const wholeNight2 = {
  id: expect.stringMatching(/^slp_[0-9a-z]{26}$/),
  date: '2026-03-02',
  start_time: '2026-03-01T22:48:30',
  end_time: '2026-03-02T06:36:10',
  duration_minutes: 468,
  is_main_sleep: true,
  source: 'apple_health',
  asleep_minutes: 426,
  deep_minutes: 84,
  light_minutes: 238,
  rem_minutes: 104,
  awake_minutes: 42,
  in_bed_minutes: 468,
  efficiency_pct: 91,
};

describe('200 in Form 1', () => {
  // @contract sleep/fields: Form 1: `data` lists sessions with `start`, `end`, seven durations in whole minutes, `sleep_efficiency`, four vitals and three temperatures
  // @contract sleep/fields: Minutes that the provider did not report are null
  test('returns every field, rounded once, and null for unknown values', async () => {
    const response = await read(form1);
    expect(response.status).toBe(200);
    expect(response.headers.get('api-form')).toBe('1');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('vary')).toBe('Authorization, API-Form');
    expect(response.body).toStrictEqual({
      data: [
        {
          id: expect.stringMatching(/^slp_[0-9a-z]{26}$/),
          date: '2026-03-02',
          start: '2026-03-02T13:00:00.000Z',
          end: '2026-03-02T14:00:29.500Z',
          asleep: null,
          time_awake: null,
          light_sleep: null,
          deep_sleep: null,
          REM: null,
          restorative_sleep: null,
          time_in_bed: null,
          sleep_efficiency: null,
          sleep_heart_rate: null,
          sleep_heart_rate_variability: null,
          sleep_respiratory_rate: null,
          sleep_blood_oxygen: null,
          sleep_body_temperature: null,
          sleep_skin_temperature: null,
          sleep_wrist_temperature: null,
        },
        wholeNight1,
      ],
    });
  });

  // @contract all/units: Sleep in Form 1 converts temperatures
  // @contract sleep/fields: Form 1: temperatures are °C by default
  test('converts only temperatures to °F with imperial units', async () => {
    const response = await read(`${form1}&unit_system=imperial`);
    expect(response.body.data[1]).toStrictEqual({
      ...wholeNight1,
      sleep_body_temperature: 97.8,
      sleep_skin_temperature: 94.3,
      sleep_wrist_temperature: 92,
    });
    expect((await read(`${form1}&unit_system=metric`)).body.data[1]).toStrictEqual(wholeNight1);
  });

  // @contract sleep/fields: Form 1: `include_sources=true` adds `source`, without an original value and unit
  test('returns sources on request', async () => {
    const source = {
      provider: 'apple_health',
      device_id: await deviceIdOf(user),
      original_value: null,
      original_unit: null,
    };
    const response = await read(`${form1}&include_sources=true`);
    expect(response.body.data[1]).toStrictEqual({ ...wholeNight1, source });
    expect((await read(`${form1}&include_sources=false`)).body.data[1]).toStrictEqual(wholeNight1);
  });
});

describe('200 in Form 2', () => {
  // @contract all/formats: Clock times in Form 2 have no offset and are in the time zone of the profile
  // @contract sleep/fields: Form 2: `from_date`, `to_date`, `data`, `next_cursor`
  // @contract sleep/fields: Form 2: `id`, `date`, `start_time`, `end_time`, `duration_minutes`, `is_main_sleep`, `source`, six counts of minutes, `efficiency_pct`
  // @contract sleep/fields: Minutes that the provider did not report are null
  // @contract sleep/fields: Efficiency is time asleep divided by time in bed, in percent
  // @contract sleep/fields: There is no timeline of sleep stages
  test('returns every field with local clock times, and null for unknown values', async () => {
    const response = await read(form2);
    expect(response.headers.get('api-form')).toBe('2');
    expect(response.body).toStrictEqual({
      from_date: '2026-03-02',
      to_date: '2026-03-02',
      data: [
        {
          id: expect.stringMatching(/^slp_[0-9a-z]{26}$/),
          date: '2026-03-02',
          start_time: '2026-03-02T14:00:00',
          end_time: '2026-03-02T15:00:29',
          duration_minutes: 60,
          is_main_sleep: false,
          source: 'apple_health',
          asleep_minutes: null,
          deep_minutes: null,
          light_minutes: null,
          rem_minutes: null,
          awake_minutes: null,
          in_bed_minutes: null,
          efficiency_pct: null,
        },
        wholeNight2,
      ],
      next_cursor: null,
    });
  });

  // @contract all/units: Fields with a unit in their name are never converted: sleep
  test('ignores imperial units and returns sources next to the provider', async () => {
    const response = await read(`${form2}&unit_system=imperial&include_sources=true`);
    const device_id = await deviceIdOf(user);
    const detail = { provider: 'apple_health', device_id, original_value: null, original_unit: null };
    expect(response.body.data[1]).toStrictEqual({ ...wholeNight2, source_detail: detail });
  });

  // @contract sleep/fields: A user without sleep has an empty list
  test('returns an empty list for a user without sleep, in either form', async () => {
    const other = await createSdkUser(app);
    expect((await read(form1, other)).body).toStrictEqual({ data: [] });
    expect((await read(form2, other)).body).toStrictEqual({
      from_date: '2026-03-02',
      to_date: '2026-03-02',
      data: [],
      next_cursor: null,
    });
  });
});

describe('days', () => {
  // @contract sleep/fields: A night belongs to the day on which it ends
  test('assigns a night to the day it ends on in the user’s time zone', async () => {
    const dates = async (query: string) =>
      (await read(query)).body.data.map(({ date }: { date: string }) => date);
    expect(await dates('?start_date=2026-03-01&end_date=2026-03-01')).toEqual([]);
    expect(await dates('?start_date=2026-03-02&end_date=2026-03-03')).toHaveLength(2);
    expect(await dates('?from_date=2026-02-01&to_date=2026-03-01')).toEqual([]);
    const late = await createSdkUser(app, { timezone: 'Pacific/Auckland' });
    await deliver(app, late, { sleep: [night] });
    // 18:36 on the 2nd in Auckland, in local time there.
    expect((await read(form2, late)).body.data[0]).toMatchObject({
      start_time: '2026-03-02T10:48:30',
      end_time: '2026-03-02T18:36:10',
    });
  });

  // @contract all/formats: Clock times of a night with a daylight saving change are local times
  test('returns the elapsed duration of nights with a daylight saving change', async () => {
    const sleeper = await createSdkUser(app, { timezone: 'Europe/Berlin' });
    const spring = { id: 'spring', start: '2026-03-28T22:00:00Z', end: '2026-03-29T06:00:00Z' };
    const autumn = { id: 'autumn', start: '2025-10-25T21:00:00Z', end: '2025-10-26T06:00:00Z' };
    await deliver(app, sleeper, { sleep: [spring, autumn] });
    const { body } = await read('?from_date=2025-10-01&to_date=2026-04-01', sleeper);
    expect(body.data).toMatchObject([
      {
        date: '2026-03-29',
        start_time: '2026-03-28T23:00:00',
        end_time: '2026-03-29T08:00:00',
        duration_minutes: 480,
      },
      {
        date: '2025-10-26',
        start_time: '2025-10-25T23:00:00',
        end_time: '2025-10-26T07:00:00',
        duration_minutes: 540,
      },
    ]);
  });
});

describe('several sessions', () => {
  // @contract sleep/fields: The principal session of a night is the main sleep; naps and fragments are not
  test('marks the longest session of a day with an hour asleep as main sleep, not naps and fragments', async () => {
    const sleeper = await createSdkUser(app);
    const sleep = [
      { id: 'a', start: '2026-03-01T22:00:00Z', end: '2026-03-02T01:00:00Z', minutes: { asleep: 170 } },
      { id: 'b', start: '2026-03-02T02:00:00Z', end: '2026-03-02T06:00:00Z', minutes: { asleep: 220 } },
      { id: 'c', start: '2026-03-02T13:00:00Z', end: '2026-03-02T13:40:00Z', minutes: { asleep: 35 } },
      { id: 'd', start: '2026-03-04T02:00:00Z', end: '2026-03-04T05:00:00Z', minutes: { asleep: 59 } },
    ];
    await deliver(app, sleeper, { sleep });
    const { body } = await read('?from_date=2026-03-01&to_date=2026-03-04', sleeper);
    const seen = body.data.map((one: Record<string, unknown>) => [
      one['asleep_minutes'],
      one['is_main_sleep'],
    ]);
    expect(seen).toEqual([
      [59, false],
      [35, false],
      [220, true],
      [170, false],
    ]);
  });

  // @contract all/sources: Rings rank first for sleep, wrist devices rank first for heart rate
  // @contract sleep/fields: A night that several devices report is returned once, from the best-ranked device
  test('returns the ring’s session of a night that ring and watch report', async () => {
    const sleeper = await createSdkUser(app);
    const asleep = (minutes: number) => ({
      start: '2026-03-01T22:00:00Z',
      end: '2026-03-02T06:00:00Z',
      minutes: { asleep: minutes },
    });
    await deliver(
      app,
      sleeper,
      { device: watch, sleep: [{ id: 'w', ...asleep(400) }] },
      { device: ring, sleep: [{ id: 'r', ...asleep(420) }] },
    );
    const { body } = await read(`${form2}&include_sources=true`, sleeper);
    const { rows } = await app.admin.query(`SELECT id FROM devices WHERE user_id = $1 AND kind = 'ring'`, [
      sleeper.uuid,
    ]);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      asleep_minutes: 420,
      source: 'health_connect',
      source_detail: { provider: 'health_connect', device_id: formatId('dev', rows[0].id) },
    });
  });
});

const problems: [query: string, name: string, problem: string][] = [
  // @contract sleep/invalid: Form 1: `end_date` missing
  ['?start_date=2026-03-02', 'end_date', 'is required'],
  // @contract sleep/invalid: Form 1: `start_date` missing
  ['?end_date=2026-03-02', 'start_date', 'is required'],
  // @contract sleep/invalid: Form 1: `end_date` that is not a calendar date
  ['?start_date=2026-03-02&end_date=2026-02-30', 'end_date', 'must be a calendar date, YYYY-MM-DD'],
  // @contract sleep/invalid: Form 1: `start_date` that is not a date
  ['?start_date=yesterday&end_date=2026-02-20', 'start_date', 'must be a calendar date, YYYY-MM-DD'],
  // @contract sleep/invalid: Form 1: `start_date` after `end_date`
  ['?start_date=2026-03-03&end_date=2026-03-02', 'start_date', 'must not be later than `end_date`'],
  // @contract sleep/invalid: Form 1: a range that is too long
  ['?start_date=2025-03-01&end_date=2026-03-02', 'end_date', 'must be within 366 days of `start_date`'],
  // @contract sleep/invalid: Form 2: `from_date` in another format
  ['?from_date=2026-3-2', 'from_date', 'must be a calendar date, YYYY-MM-DD'],
  // @contract sleep/invalid: Form 2: `to_date` before 1900
  ['?to_date=1899-12-31', 'to_date', 'must be a calendar date, YYYY-MM-DD, between 1900 and 2200'],
  // @contract sleep/invalid: Form 2: `from_date` after `to_date`
  ['?from_date=2026-03-03&to_date=2026-03-02', 'from_date', 'must not be later than `to_date`'],
  // @contract sleep/invalid: Form 2: `from_date` after today
  ['?from_date=2200-01-01', 'from_date', 'must not be later than `to_date`'],
  // @contract sleep/invalid: Form 2: a range up to today that is too long
  ['?from_date=2020-01-01', 'to_date', 'must be within 366 days of `from_date`'],
  // @contract sleep/invalid: Form 2: a range that is too long
  ['?from_date=2025-03-01&to_date=2026-03-02', 'to_date', 'must be within 366 days of `from_date`'],
  // @contract sleep/invalid: Form 2: `limit` of 0
  ['?limit=0', 'limit', 'must be at least 1'],
  // @contract sleep/invalid: Form 2: `limit` above 100
  ['?limit=101', 'limit', 'must be at most 100'],
  // @contract sleep/invalid: Form 2: `limit` that is not a number
  ['?limit=ten', 'limit', 'must be an integer'],
  // @contract sleep/invalid: Form 2: `include_sources` that is neither true nor false
  ['?include_sources=yes', 'include_sources', 'must be true or false'],
  // @contract sleep/invalid: Form 1: `include_sources` that is neither true nor false
  [`${form1}&include_sources=1`, 'include_sources', 'must be true or false'],
  // @contract sleep/invalid: Form 2: unknown `unit_system`
  ['?unit_system=us', 'unit_system', 'must be one of metric, imperial'],
  // @contract sleep/invalid: Form 1: `unit_system` empty
  [`${form1}&unit_system=`, 'unit_system', 'must be one of metric, imperial'],
  // @contract sleep/invalid: An unknown parameter
  ['?verbose=true', 'verbose', 'is not supported by this endpoint'],
  // @contract sleep/invalid: Form 1: `types`, which sleep does not support
  [`${form1}&types=asleep`, 'types', 'is not supported by this endpoint'],
  // @contract sleep/invalid: Form 1: `page`, which sleep does not support
  [`${form1}&page=1`, 'page', 'is not supported by this endpoint'],
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

  test('accepts a range of 366 days', async () => {
    expect((await read('?start_date=2025-03-02&end_date=2026-03-02')).body.data).toHaveLength(2);
    expect((await read('?from_date=2025-03-02&to_date=2026-03-02')).body.data).toHaveLength(2);
  });

  // @contract all/forms: Sleep and workouts reject fields of both forms with 400 `mixed_forms`
  test('rejects fields of both forms', async () => {
    const response = await read(`${form1}&limit=5`);
    expect(response).toMatchObject({ status: 400, body: { error: 'mixed_forms' } });
    expect((await read(form1, user, { headers: { 'api-form': '2' } })).body.error).toBe('mixed_forms');
  });
});

describe('401, 403, 404', () => {
  test('lets a user token read its own user and no other', async () => {
    const { body } = await app.request('POST', '/v1/auth/user-token', { body: { user_id: user.id } });
    const mine: TestResponse = await read(form2, user, { key: body.token });
    expect(mine).toMatchObject({ status: 200, body: { data: [{}, {}] } });
    expect(mine.headers.get('access-control-allow-origin')).toBe('*');
    const other = await createSdkUser(app);
    expect(await read(form2, other, { key: body.token })).toMatchObject({
      status: 403,
      body: { error: 'wrong_user' },
    });
    expect((await read(form2, user, { key: '' })).status).toBe(401);
    expect(await read(form2, user, { key: user.token })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    });
  });

  test('returns 404 for a user that is missing or not visible to this key', async () => {
    for (const query of [form1, form2, '']) {
      expect(await read(query, user, { key: app.account.sandboxKey })).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
      expect(await app.request('GET', `/v1/users/unknown/sleep${query}`)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
    }
  });
});

describe('304', () => {
  test.each([
    // @contract all/caching: Sleep, Form 1
    form1,
    // @contract all/caching: Sleep, Form 2
    form2,
    '',
  ])('returns 304 for %j until something changes, and 200 after an upload', async (query) => {
    const sleeper = await createSdkUser(app);
    await deliver(app, sleeper, { device: chestStrap, sleep: [night] });
    const first = await read(query, sleeper);
    const headers = { 'if-none-match': first.headers.get('etag')! };
    const again = await read(query, sleeper, { headers });
    expect(again).toMatchObject({ status: 304, body: '' });
    expect(again.headers.get('etag')).toBe(headers['if-none-match']);
    await deliver(app, sleeper, { device: chestStrap, sleep: [nap] });
    const changed = await read(query, sleeper, { headers });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(headers['if-none-match']);
    if (query !== '') expect(changed.body.data).toHaveLength(2);
  });

  // @contract all/caching: A matching tag never produces 304 for a missing user or an invalid request
  test('never returns 304 for a missing user or an invalid request', async () => {
    const headers = { 'if-none-match': '*' };
    expect((await read(form2, user, { headers, key: app.account.sandboxKey })).status).toBe(404);
    expect((await read('?limit=0', user, { headers })).status).toBe(400);
  });
});
