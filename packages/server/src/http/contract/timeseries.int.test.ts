import { metrics as catalog } from '@tributary/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { deliver } from '../../test/data/deliver.ts';
import { createSdkUser, type SdkUser } from '../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let user: SdkUser;
const day = 'start_date=2026-03-01&end_date=2026-03-01';
const served = [
  'heart_rate',
  'heart_rate_variability',
  'stress_score',
  'blood_oxygen',
  'steps',
  'active_calories',
  'heart_rate_variability_rmssd',
];

beforeAll(async () => {
  app = await startTestApp();
  user = await createSdkUser(app);
  await deliver(app, user, {
    series: [
      // The finest and coarsest intervals that devices measure.
      { metric: 'heart_rate', start: '2026-03-01T08:00:00Z', interval_seconds: 1, values: [60, 61] },
      {
        metric: 'heart_rate_variability',
        start: '2026-03-01T08:15:00Z',
        interval_seconds: 900,
        values: [61.5, 62],
      },
    ],
    records: [
      { metric: 'heart_rate_variability_rmssd', start: '2026-03-01T09:00:00Z', value: 45.5 },
      { metric: 'blood_oxygen', start: '2026-03-01T09:10:00Z', value: 97.5 },
      { metric: 'steps', start: '2026-03-01T09:20:00Z', end: '2026-03-01T09:21:00Z', value: 90 },
      {
        metric: 'active_calories',
        start: '2026-03-01T09:30:00Z',
        end: '2026-03-01T09:40:00Z',
        value: 50,
        unit: 'kJ',
      },
    ],
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (query: string) => app.request('GET', `/v1/users/${user.id}/timeseries?${query}`);
const at = (clock: string, metric: string, value: number, unit: string) => ({
  timestamp: `2026-03-01T${clock}.000Z`,
  metric,
  value,
  unit,
});
const everything = [
  at('08:00:00', 'heart_rate', 60, 'bpm'),
  at('08:00:01', 'heart_rate', 61, 'bpm'),
  at('08:15:00', 'heart_rate_variability', 61.5, 'ms'),
  at('08:30:00', 'heart_rate_variability', 62, 'ms'),
  at('09:00:00', 'heart_rate_variability_rmssd', 45.5, 'ms'),
  at('09:10:00', 'blood_oxygen', 97.5, '%'),
  at('09:20:00', 'steps', 90, 'count'),
  at('09:30:00', 'active_calories', 12, 'kcal'),
];

test.each([
  // @contract all/formats: Timestamps in Form 1 and in timeseries are ISO 8601 in UTC and end in `Z`
  // @contract timeseries/fields: `data` has one item per sample: `timestamp`, `metric`, `value`, `unit`
  // @contract timeseries/fields: Heart rate, both kinds of heart rate variability, stress, blood oxygen, steps and active calories are served
  // @contract timeseries/fields: Samples keep the device's own interval, from one second to 15 minutes
  '',
  // @contract timeseries/fields: `unit_system` is accepted
  '&unit_system=metric',
  // @contract all/units: The unit system does not affect values that have the same unit in both systems
  // @contract timeseries/fields: `unit_system` is accepted
  '&unit_system=imperial',
  // @contract timeseries/fields: `include_sources` is false by default
  '&include_sources=false',
])('returns every metric that has samples, by time, in its unit%s', async (query) => {
  expect((await get(`metrics=${served.join()}&${day}${query}`)).body).toStrictEqual({ data: everything });
});

// @contract timeseries/fields: `include_sources=true` adds the same `source` as in daily
test('names the device and its original value in sources', async () => {
  const { rows } = await app.admin.query('SELECT id FROM devices WHERE user_id = $1', [user.uuid]);
  const source = { provider: 'apple_health', device_id: formatId('dev', rows[0].id) };
  const { body } = await get(
    `metrics=heart_rate_variability_rmssd,active_calories&${day}&include_sources=true`,
  );
  expect(body).toStrictEqual({
    data: [
      { ...everything[4], source: { ...source, original_value: 45.5, original_unit: 'ms' } },
      { ...everything[7], source: { ...source, original_value: 50, original_unit: 'kJ' } },
    ],
  });
});

// @contract timeseries/fields: No other metric is served
test('rejects every metric without samples', async () => {
  const others = catalog.map(({ id }) => id).filter((id) => !served.includes(id));
  expect(others.length).toBeGreaterThan(200);
  for (const ids of [others, [...served, others[0]!], [served[0]!, '']]) {
    const { status, body } = await get(`metrics=${ids.slice(0, 20).join()}&${day}`);
    expect([status, body.error, body.details.fields[0].name]).toEqual([400, 'invalid_request', 'metrics']);
  }
  for (const id of ['weight', 'resting_heart_rate', 'recovery_score', 'distance', 'Heart_Rate'])
    expect((await get(`metrics=${id}&${day}`)).status, id).toBe(400);
});

test.each([
  [day, 'metrics', 'is required'],
  // @contract timeseries/invalid: `metrics` repeated
  [`metrics=steps&metrics=heart_rate&${day}`, 'metrics', 'must be a string'],
  // @contract timeseries/invalid: `start_date` missing
  ['metrics=steps&end_date=2026-03-01', 'start_date', 'is required'],
  // @contract timeseries/invalid: `end_date` that is not a calendar date
  [
    'metrics=steps&start_date=2026-03-01&end_date=2026-02-29',
    'end_date',
    'must be a calendar date, YYYY-MM-DD',
  ],
  // @contract timeseries/invalid: `resolution` empty
  [`metrics=steps&${day}&resolution=`, 'resolution', 'must be raw, or a whole number of seconds or minutes'],
  // @contract timeseries/invalid: Form 2 parameters
  [`metrics=steps&${day}&from_date=2026-03-01`, 'from_date', 'is not supported by this endpoint'],
  // @contract timeseries/invalid: Form 2 parameters
  [`metrics=steps&${day}&types=steps`, 'types', 'is not supported by this endpoint'],
  // @contract timeseries/invalid: Unknown `unit_system`
  [`metrics=steps&${day}&unit_system=us`, 'unit_system', 'must be one of metric, imperial'],
])('returns 400 for %s and states the reason', async (query, name, problem) => {
  const { status, body } = await get(query);
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect(body.details.fields).toEqual([{ in: 'query', name, problem: expect.stringContaining(problem) }]);
});

// @contract timeseries/invalid: `metrics` that is too long
test('returns 400 for a list of metrics that is too long', async () => {
  const { status, body } = await get(`metrics=${'steps,'.repeat(200)}&${day}`);
  expect(status).toBe(400);
  expect(body.details.fields).toEqual([
    { in: 'query', name: 'metrics', problem: 'must have at most 1024 characters' },
  ]);
});

// @contract all/forms: Timeseries has one shape and ignores the header
test('ignores the form, because it has one shape', async () => {
  const response = await app.request('GET', `/v1/users/${user.id}/timeseries?metrics=steps&${day}`, {
    headers: { 'api-form': '2' },
  });
  expect(response.body).toStrictEqual({ data: [everything[6]] });
  expect(response.headers.get('api-form')).toBeNull();
  expect(response.headers.get('vary')).toBe('Authorization');
});
