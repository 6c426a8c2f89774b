import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOptIn, metrics } from '@tributary/domain';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../../test/data/uploads.ts';

let app: TestApp;
let ada: PhoneUser;
/** Monday, noon in UTC: Monday evening in Auckland, early Monday in Los Angeles. */
const nowMs = Date.parse('2026-03-02T12:00:00Z');

beforeAll(async () => {
  app = await startTestApp();
  await app.moveClock(nowMs - app.ctx.clock.now());
  ada = await createPhoneUser(app, { timezone: 'Europe/Berlin' });
  await ada.upload(
    { id: 'watch', kind: 'watch' },
    {
      daily: [
        { metric: 'steps', date: '2026-03-01', value: 8420 },
        { metric: 'steps', date: '2026-02-27', value: 7000 },
        { metric: 'distance', date: '2026-03-01', value: 5.02, unit: 'mi' },
        { metric: 'active_calories', date: '2026-03-01', value: 2510.4, unit: 'kJ' },
        { metric: 'resting_energy', date: '2026-03-01', value: 1500 },
      ],
      records: [
        { metric: 'weight', start: '2026-03-01T06:00:00Z', value: 180.5, unit: 'lb' },
        { metric: 'body_temperature', start: '2026-03-01T06:00:00Z', value: 98.6, unit: '°F' },
      ],
    },
  );
  await ada.upload(
    { id: 'phone', kind: 'phone' },
    { daily: [{ metric: 'steps', date: '2026-03-01', value: 5100 }] },
  );
  await workThrough(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (query: string, headers: Record<string, string> = {}, id = ada.id) =>
  app.request('GET', `/v1/users/${id}/daily${query}`, { headers });

describe('Form 2', () => {
  // @contract daily-2/fields: The body is `from_date`, `to_date`, `dates`, `series`, and `units` _(addition)_
  // @contract daily-2/fields: `series` has one array per metric, aligned with `dates`
  test('returns columns for every day of the range, in the requested order', async () => {
    const { status, body, headers } = await get(
      '?types=weight,%20steps%20,weight&from_date=2026-02-27&to_date=2026-03-02',
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('api-form')).toBe('2');
    expect(body).toEqual({
      from_date: '2026-02-27',
      to_date: '2026-03-02',
      dates: ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'],
      series: { weight: [null, null, 81.87, null], steps: [7000, null, 8420, null] },
      units: { weight: 'kg', steps: 'count' },
    });
    expect(Object.keys(body.series)).toEqual(['weight', 'steps']);
  });

  // @contract daily-2/fields: Without `types` all public daily metrics are returned
  test('returns every daily metric of the catalog without types, except scores and opt-in metrics', async () => {
    const { body } = await get('');
    const daily = metrics.filter((metric) => metric.form2Surfaces.includes('daily') && !isOptIn(metric));
    expect(Object.keys(body.series)).toEqual(daily.map(({ id }) => id));
    expect(Object.keys(body.units)).toEqual(daily.map(({ id }) => id));
    expect(body.series).not.toHaveProperty('recovery_score');
    expect(body.series).toHaveProperty('stress_score');
    for (const values of Object.values(body.series)) expect(values).toHaveLength(30);
  });

  test.each([
    // @contract daily-2/fields: `to_date` defaults to today in the user's time zone: east of UTC that may be tomorrow
    ['Pacific/Auckland', '2026-03-03'],
    // @contract daily-2/fields: `to_date` defaults to today in the user's time zone: west of UTC that may be yesterday
    ['America/Los_Angeles', '2026-03-02'],
    // @contract daily-2/fields: `to_date` defaults to today in UTC for a user without a time zone
    [undefined, '2026-03-02'],
  ])('ends the default range in %s on %s', async (timezone, today) => {
    const user = await createPhoneUser(app, timezone === undefined ? {} : { timezone });
    const { body } = await get('?types=steps', {}, user.id);
    expect(body.to_date).toBe(today);
    expect(body.dates).toHaveLength(30);
    expect(body.from_date).toBe(body.dates[0]);
    expect(body.dates.at(-1)).toBe(today);
  });

  // @contract all/units: Imperial values are converted from exact values and rounded once
  test('converts imperial values from the exact ones and rounds once', async () => {
    const { body } = await get(
      '?types=weight,distance,body_temperature,steps&from_date=2026-03-01&to_date=2026-03-01&unit_system=imperial',
    );
    expect(body.series).toEqual({
      weight: [180.5],
      distance: [5.02],
      body_temperature: [98.6],
      steps: [8420],
    });
    expect(body.units).toEqual({ weight: 'lb', distance: 'mi', body_temperature: '°F', steps: 'count' });
  });

  // @contract daily-2/fields: `include_sources=true` adds `sources`, aligned with `dates` _(addition)_
  // @contract daily-2/fields: A derived value has no source
  test('names the device and its original value in sources', async () => {
    const { body } = await get(
      '?types=steps,weight,active_calories,total_energy&from_date=2026-03-01&to_date=2026-03-02&include_sources=true',
    );
    const devices = (await app.request('GET', `/v1/users/${ada.id}/devices`)).body.data;
    const source = { provider: 'apple_health', device_id: devices[0].id };
    expect(body.sources).toEqual({
      steps: [{ ...source, original_value: 8420, original_unit: 'count', coverage: 1 }, null],
      weight: [{ ...source, original_value: 180.5, original_unit: 'lb', coverage: 1 }, null],
      active_calories: [{ ...source, original_value: 2510.4, original_unit: 'kJ', coverage: 1 }, null],
      total_energy: [null, null],
    });
    expect(body.series.total_energy).toEqual([2100, null]);
    expect(body.contributors).toEqual({});
  });

  // @contract daily-2/fields: `include_reasons=true` adds the reason why a value is missing _(addition)_
  test('states why a value is missing', async () => {
    const { body } = await get(
      '?types=steps,forced_expiratory_volume_1&from_date=2026-02-28&to_date=2026-03-05&include_reasons=true',
    );
    expect(body.reasons.steps).toEqual([
      'not_reported',
      null,
      'not_reported',
      'not_synced_yet',
      'not_synced_yet',
      'not_synced_yet',
    ]);
    const userWithoutDevices = await createPhoneUser(app);
    expect(
      (
        await get(
          '?types=steps&from_date=2026-03-01&to_date=2026-03-01&include_reasons=true',
          {},
          userWithoutDevices.id,
        )
      ).body.reasons,
    ).toEqual({ steps: ['no_device'] });
  });

  test.each([
    // @contract daily-2/rules: 5. An empty list is 422 `invalid_types`
    ['types=', ['']],
    // @contract daily-2/rules: 5. An empty item in a list is 422 `invalid_types`
    ['types=steps,', ['']],
    // @contract daily-2/rules: 5. An unknown ID is 422 `invalid_types`, and `details` names it
    // @contract daily-2/statuses: 422 `invalid_types`
    ['types=steps,nonsense', ['nonsense']],
    // @contract daily-2/rules: 6. Daily rejects scores
    ['types=recovery_score', ['recovery_score']],
    // @contract daily-2/rules: 5. Metrics that only workouts have are not daily metrics
    ['types=duration', ['duration']],
  ])('returns 422 invalid_types for %s', async (query, types) => {
    expect(await get(`?${query}`)).toMatchObject({
      status: 422,
      body: { error: 'invalid_types', details: { types } },
    });
  });

  // @contract daily-2/rules: 1. At most 366 days, inclusive
  test('accepts 366 days and rejects 367', async () => {
    const { body } = await get('?types=steps&from_date=2025-03-02&to_date=2026-03-02');
    expect(body.dates).toHaveLength(366);
    expect(await get('?types=steps&from_date=2025-03-01&to_date=2026-03-02')).toMatchObject({ status: 400 });
    expect(await get('?types=steps&from_date=2025-03-01')).toMatchObject({ status: 400 });
    expect(await get('?types=steps&from_date=1990-01-01')).toMatchObject({ status: 400 });
  });
});

describe('Form 1', () => {
  // @contract daily-1/fields: `data` has one row per metric and day: `date`, `metric`, `value`, `unit`
  // @contract daily-1/fields: Rows are ordered by date, then by metric
  // @contract daily-1/fields: A missing value has no row
  test('returns a row per value by date, then metric', async () => {
    const { status, body, headers } = await get(
      '?metrics=weight,steps&start_date=2026-02-27&end_date=2026-03-02',
    );
    expect(status).toBe(200);
    expect(headers.get('api-form')).toBe('1');
    expect(body).toStrictEqual({
      data: [
        { date: '2026-02-27', metric: 'steps', value: 7000, unit: 'count' },
        { date: '2026-03-01', metric: 'steps', value: 8420, unit: 'count' },
        { date: '2026-03-01', metric: 'weight', value: 81.87, unit: 'kg' },
      ],
    });
    const empty = '?metrics=weight,steps&start_date=2026-03-02&end_date=2026-03-02';
    for (const query of [empty, `${empty}&include_missing=false`, `${empty}&unit_system=imperial`])
      expect((await get(query)).body).toStrictEqual({ data: [] });
  });

  // @contract daily-1/fields: `include_missing=true` adds rows for missing values: `value` is null, and `reason` states why _(addition)_
  test('adds rows for missing values with null and the reason on request', async () => {
    const query = '?metrics=weight,steps&start_date=2026-03-01&end_date=2026-03-03&include_missing=true';
    const missing = (date: string, metric: string, unit: string, reason: string) => ({
      date,
      metric,
      value: null,
      unit,
      reason,
    });
    expect((await get(query)).body).toStrictEqual({
      data: [
        { date: '2026-03-01', metric: 'steps', value: 8420, unit: 'count' },
        { date: '2026-03-01', metric: 'weight', value: 81.87, unit: 'kg' },
        missing('2026-03-02', 'steps', 'count', 'not_reported'),
        missing('2026-03-02', 'weight', 'kg', 'not_reported'),
        missing('2026-03-03', 'steps', 'count', 'not_synced_yet'),
        missing('2026-03-03', 'weight', 'kg', 'not_synced_yet'),
      ],
    });
    const userWithoutDevices = await createPhoneUser(app);
    expect((await get(query, {}, userWithoutDevices.id)).body.data[0]).toStrictEqual(
      missing('2026-03-01', 'steps', 'count', 'no_device'),
    );
  });

  // @contract daily-1/fields: `include_sources=true` adds `source`: `provider`, `device_id`, `original_value`, `original_unit`
  // @contract daily-1/fields: `source` is null when there is no value
  test('adds sources on request', async () => {
    const { body } = await get(
      '?metrics=weight&start_date=2026-03-01&end_date=2026-03-02&include_sources=true&unit_system=imperial&include_missing=true',
    );
    expect(body.data).toEqual([
      {
        date: '2026-03-01',
        metric: 'weight',
        value: 180.5,
        unit: 'lb',
        source: {
          provider: 'apple_health',
          device_id: expect.stringMatching(/^dev_/),
          original_value: 180.5,
          original_unit: 'lb',
          coverage: 1,
        },
      },
      {
        date: '2026-03-02',
        metric: 'weight',
        value: null,
        unit: 'lb',
        reason: 'not_reported',
        source: null,
      },
    ]);
  });

  // @contract all/formats: Booleans in a query may have any letter case
  test.each(['true', 'True', 'TRUE'])('accepts %s as a boolean', async (value) => {
    const query = `?metrics=weight&start_date=2026-03-01&end_date=2026-03-01&include_sources=${value}`;
    const { status, body } = await get(query);
    expect([status, body.data[0].source.provider]).toEqual([200, 'apple_health']);
    const without = await get(query.replace(value, value.replace(/true/i, 'False')));
    expect(without.body.data[0]).not.toHaveProperty('source');
  });

  // @contract daily-1/fields: At most 90 days, inclusive
  test('accepts 90 days and rejects 91', async () => {
    const { body } = await get(
      '?metrics=steps&start_date=2025-12-03&end_date=2026-03-02&include_missing=true',
    );
    expect(body.data).toHaveLength(90);
    expect(await get('?metrics=steps&start_date=2025-12-02&end_date=2026-03-02')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: { fields: [{ in: 'query', name: 'end_date' }] } },
    });
  });
});

test.each([
  // @contract daily-1/invalid: `end_date` missing
  ['start_date=2026-03-01', 'end_date'],
  // @contract daily-1/invalid: `start_date` missing
  ['end_date=2026-03-01', 'start_date'],
  // @contract daily-1/invalid: `start_date` missing
  ['metrics=steps', 'start_date'],
  // @contract daily-1/invalid: `start_date` after `end_date`
  ['start_date=2026-03-02&end_date=2026-03-01', 'start_date'],
  // @contract daily-1/invalid: `start_date` that is not a calendar date
  ['start_date=2026-02-30&end_date=2026-03-01', 'start_date'],
  // @contract daily-1/invalid: `end_date` that is not a date
  ['start_date=2026-03-01&end_date=tomorrow', 'end_date'],
  // @contract daily-1/invalid: `metrics` empty
  ['start_date=2026-03-01&end_date=2026-03-02&metrics=', 'metrics'],
  // @contract daily-1/invalid: `metrics` with an unknown ID
  ['start_date=2026-03-01&end_date=2026-03-02&metrics=nonsense', 'metrics'],
  // @contract daily-1/invalid: `metrics` with a score
  ['start_date=2026-03-01&end_date=2026-03-02&metrics=recovery_score', 'metrics'],
  // @contract daily-1/invalid: Unknown `unit_system`
  ['start_date=2026-03-01&end_date=2026-03-02&unit_system=royal', 'unit_system'],
  // @contract daily-1/invalid: `include_sources` that is neither true nor false
  ['start_date=2026-03-01&end_date=2026-03-02&include_sources=1', 'include_sources'],
  // @contract daily-1/invalid: `include_reasons`, which Form 1 does not support
  ['start_date=2026-03-01&end_date=2026-03-02&include_reasons=true', 'include_reasons'],
  // @contract daily-1/invalid: `include_missing` that is neither true nor false
  ['start_date=2026-03-01&end_date=2026-03-02&include_missing=1', 'include_missing'],
  // @contract daily-2/invalid: `include_missing`, which Form 2 does not support
  ['from_date=2026-03-01&to_date=2026-03-02&include_missing=true', 'include_missing'],
  // @contract daily-2/rules: 1. `from_date` after `to_date` is invalid, also when `to_date` is the default
  ['from_date=2026-03-02&to_date=2026-03-01', 'from_date'],
  // @contract daily-2/rules: 1. `from_date` after `to_date` is invalid, also when `to_date` is the default
  ['from_date=2026-03-04', 'from_date'],
  // @contract daily-2/invalid: `to_date` in another format
  ['to_date=0000-00-00', 'to_date'],
  // @contract daily-2/invalid: An unknown parameter
  ['verbose=true', 'verbose'],
])('returns 400 for %s and names %s', async (query, name) => {
  expect(await get(`?${query}`)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', details: { fields: [{ in: 'query', name }] } },
  });
});

// @contract all/forms: Fields of both forms are 400 `mixed_forms`, which lists them
test('rejects fields of both forms', async () => {
  expect(await get('?metrics=steps&types=steps')).toMatchObject({
    status: 400,
    body: { error: 'mixed_forms' },
  });
});

// @contract all/caching: Daily: 304 for a matching tag, until something changes
test('returns 304 for a current tag until something changes', async () => {
  const user = await createPhoneUser(app, { timezone: 'Europe/Berlin' });
  const first = await get('?types=steps', {}, user.id);
  const etag = first.headers.get('etag')!;
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  expect(first.headers.get('vary')).toBe('Authorization, API-Form');
  const again = await get('?types=steps', { 'if-none-match': etag }, user.id);
  expect(again.status).toBe(304);
  expect(again.headers.get('etag')).toBe(etag);
  await user.upload({ id: 'watch' }, { daily: [{ metric: 'steps', date: '2026-03-01', value: 1 }] });
  await workThrough(app);
  const changed = await get('?types=steps', { 'if-none-match': etag }, user.id);
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
  await app.request('PATCH', `/v1/users/${user.id}`, { body: { timezone: 'Asia/Tokyo' } });
  expect((await get('?types=steps', { 'if-none-match': changed.headers.get('etag')! }, user.id)).status).toBe(
    200,
  );
});

// @contract all/caching: A matching tag never produces 304 for a missing user or an invalid request
test('returns the same 404 for another account’s user and an unknown one', async () => {
  const other = await app.createAccount();
  const response = await app.request('GET', `/v1/users/${ada.id}/daily`, { key: other.liveKey });
  expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
  const headers = { 'if-none-match': '*' };
  expect(
    await app.request('GET', `/v1/users/${ada.id}/daily`, { key: other.liveKey, headers }),
  ).toMatchObject({ status: 404 });
  expect(await get('?include_sources=true', {}, 'user_00000000000000000000000000')).toMatchObject({
    status: 404,
  });
  expect(await get('', {}, 'nonsense')).toMatchObject({ status: 404 });
});
