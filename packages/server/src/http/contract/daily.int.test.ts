import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { reconsolidateUser } from '../../services/consolidation/reconsolidate-user.ts';
import { deliver, ring } from '../../test/data/deliver.ts';
import { createSdkUser, watch, type SdkUser } from '../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let user: SdkUser;

beforeAll(async () => {
  app = await startTestApp();
  user = await createSdkUser(app, { timezone: 'America/New_York' });
  await deliver(app, user, {
    daily: [
      { metric: 'steps', date: '2026-03-07', value: 4000 },
      { metric: 'steps', date: '2026-03-09', value: 0 },
    ],
    // 23:30 on the 7th and 00:30 on the 8th in New York; the 8th has 23 hours there.
    records: [
      { metric: 'resting_heart_rate', start: '2026-03-08T04:30:00Z', value: 61 },
      { metric: 'resting_heart_rate', start: '2026-03-08T05:30:00Z', value: 57 },
      { metric: 'resting_heart_rate', start: '2026-03-09T04:00:00Z', value: 55 },
    ],
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (query: string, of = user) => app.request('GET', `/v1/users/${of.id}/daily?${query}`);

/** The IDs that clients use without reading the catalog. */
const named = [
  'steps',
  'distance',
  'resting_heart_rate',
  'heart_rate',
  'heart_rate_variability',
  'heart_rate_variability_rmssd',
  'active_calories',
  'resting_energy',
  'blood_oxygen',
  'stress_score',
  'exercise',
  'asleep',
  'deep_sleep',
  'weight',
  'lean_body_mass',
  'sleep_body_temperature',
  'sleep_skin_temperature',
  'running',
  'cycling',
  'swimming',
];

describe('Form 2', () => {
  // @contract all/formats: Dates are written `YYYY-MM-DD`
  // @contract daily-2/rules: 2. Dates are calendar days in the user's time zone, including days of 23 hours
  // @contract daily-2/rules: 3. Missing values are null, zero is a value, and no date is omitted
  test('uses days in the user’s time zone, null for missing values, and zero as a value', async () => {
    const { body } = await get('types=steps,resting_heart_rate&from_date=2026-03-06&to_date=2026-03-09');
    expect(body).toStrictEqual({
      from_date: '2026-03-06',
      to_date: '2026-03-09',
      dates: ['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09'],
      series: { steps: [null, 4000, null, 0], resting_heart_rate: [null, 61, 57, 55] },
      units: { steps: 'count', resting_heart_rate: 'bpm' },
    });
  });

  // @contract all/formats: A profile without a time zone uses UTC: days
  // @contract daily-2/rules: 2. Dates are calendar days in UTC when the profile has no time zone
  test('uses UTC days for a user without a time zone', async () => {
    const nomad = await createSdkUser(app);
    const records = [
      { metric: 'resting_heart_rate', start: '2026-03-07T23:59:59Z', value: 61 },
      { metric: 'resting_heart_rate', start: '2026-03-08T00:00:00Z', value: 57 },
    ];
    await deliver(app, nomad, { records });
    const { body } = await get('types=resting_heart_rate&from_date=2026-03-07&to_date=2026-03-08', nomad);
    expect(body.series).toEqual({ resting_heart_rate: [61, 57] });
  });

  // @contract daily-2/fields: `from_date` defaults to 29 days before `to_date`
  test('starts the range 29 days before to_date without from_date', async () => {
    const { body } = await get('types=steps&to_date=2026-03-09');
    expect([body.from_date, body.to_date, body.dates.length]).toEqual(['2026-02-08', '2026-03-09', 30]);
    expect(body.dates.at(-3)).toBe('2026-03-07');
    expect(body.series.steps).toEqual([...Array.from({ length: 27 }, () => null), 4000, null, 0]);
  });

  // @contract daily-2/fields: All twenty IDs that clients hard-code are served, including `stress_score`
  // @contract daily-2/rules: 4. Keys of `series` are in the order of `types`
  test('returns all IDs that clients know, in the requested order', async () => {
    const requestedTypes = named.toReversed();
    const { status, body } = await get(
      `types=${requestedTypes.join()}&from_date=2026-03-07&to_date=2026-03-07`,
    );
    expect(status).toBe(200);
    expect(Object.keys(body.series)).toEqual(requestedTypes);
    expect(Object.keys(body.units)).toEqual(requestedTypes);
  });

  // @contract daily-2/rules: 4. Spaces around IDs are ignored, and a repeated ID is returned once
  test('ignores spaces around IDs and returns a repeated ID once', async () => {
    const { body } = await get(
      'types=%20weight%09,steps,%0Aweight,%20%20steps%20,steps&from_date=2026-03-07&to_date=2026-03-07',
    );
    expect(JSON.stringify(body.series)).toBe('{"weight":[null],"steps":[4000]}');
  });

  test.each([
    // @contract daily-2/rules: 5. An empty list is 422 `invalid_types`
    ['types=%20', ['']],
    // @contract daily-2/rules: 5. An empty item in a list is 422 `invalid_types`
    ['types=,', ['']],
    // @contract daily-2/rules: 5. IDs must match exactly
    ['types=Steps', ['Steps']],
    // @contract daily-2/rules: 5. IDs must match exactly
    ['types=steps;weight', ['steps;weight']],
    // @contract daily-2/rules: 6. Daily rejects scores
    ['types=recovery_score,strain_score,sleep_score,nutrition_score,energy_reserve_score', 5],
  ])('returns 422 invalid_types for %s', async (query, offenders) => {
    const { status, body } = await get(query);
    expect([status, body.error]).toEqual([422, 'invalid_types']);
    if (typeof offenders === 'number') expect(body.details.types).toHaveLength(offenders);
    else expect(body.details).toEqual({ types: offenders, request_id: expect.any(String) });
  });

  test.each([
    // @contract daily-2/invalid: `types` repeated
    ['types=steps&types=weight', 'types', 'must be a string'],
    // @contract daily-2/invalid: `from_date` empty
    ['from_date=', 'from_date', 'must be a calendar date, YYYY-MM-DD'],
    // @contract daily-2/invalid: `from_date` that is not a calendar date
    ['from_date=2026-02-29&to_date=2026-03-01', 'from_date', 'must be a calendar date, YYYY-MM-DD'],
    // @contract daily-2/invalid: `from_date` with a time
    ['from_date=2026-03-01T00:00:00Z', 'from_date', 'must be a calendar date, YYYY-MM-DD'],
    // @contract daily-2/invalid: `to_date` in another format
    ['to_date=09.03.2026', 'to_date', 'must be a calendar date, YYYY-MM-DD'],
    // @contract daily-2/invalid: `to_date` before 1900
    ['to_date=1899-12-31', 'to_date', 'must be a calendar date, YYYY-MM-DD, between 1900 and 2200'],
    // @contract daily-2/invalid: `from_date` after `to_date`
    ['from_date=2026-03-09&to_date=2026-03-08', 'from_date', 'must not be later than `to_date`'],
    // @contract daily-2/invalid: A range that is too long
    ['from_date=2025-03-08&to_date=2026-03-09', 'to_date', 'must be within 366 days of `from_date`'],
    // @contract daily-2/invalid: Unknown `unit_system`
    ['unit_system=us', 'unit_system', 'must be one of metric, imperial'],
    // @contract daily-2/invalid: `include_sources` that is neither true nor false
    ['include_sources=yes', 'include_sources', 'must be true or false'],
    // @contract daily-2/invalid: `include_reasons` that is neither true nor false
    ['include_reasons=1', 'include_reasons', 'must be true or false'],
    // @contract daily-2/invalid: `limit`, which daily does not support
    ['limit=5', 'limit', 'is not supported by this endpoint'],
  ])('returns 400 for %s and states the reason', async (query, name, problem) => {
    const { status, body } = await get(query);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details.fields).toEqual([{ in: 'query', name, problem: expect.stringContaining(problem) }]);
    expect(body.message).toBe(`Query parameter \`${name}\` ${body.details.fields[0].problem}.`);
  });
});

test.each([
  // @contract daily-2/invalid: `types` that is too long
  'types',
  // @contract daily-1/invalid: `metrics` that is too long
  'metrics',
])('returns 400 for a list of %s that is too long', async (name) => {
  const { status, body } = await get(`${name}=${'steps,'.repeat(1400)}`);
  expect(status).toBe(400);
  expect(body.details.fields).toEqual([{ in: 'query', name, problem: 'must have at most 8192 characters' }]);
});

describe('Form 1', () => {
  // @contract daily-1/fields: Without `metrics` all daily metrics are returned
  test('returns a row per daily metric and day without metrics', async () => {
    const { body } = await get('start_date=2026-03-07&end_date=2026-03-08&include_missing=true');
    const rows = body.data as { date: string; metric: string; value: number | null }[];
    const ids = [...new Set(rows.map(({ metric }) => metric))];
    expect(rows.map(({ date, metric }) => `${date} ${metric}`)).toEqual(
      ['2026-03-07', '2026-03-08'].flatMap((date) => ids.map((metric) => `${date} ${metric}`)),
    );
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    const rowsWithValue = rows.filter(({ value }) => value !== null);
    expect(rowsWithValue).toEqual([
      { date: '2026-03-07', metric: 'resting_heart_rate', value: 61, unit: 'bpm' },
      { date: '2026-03-07', metric: 'steps', value: 4000, unit: 'count' },
      { date: '2026-03-07', metric: 'workout_count', value: 0, unit: 'count' },
      { date: '2026-03-08', metric: 'resting_heart_rate', value: 57, unit: 'bpm' },
      { date: '2026-03-08', metric: 'workout_count', value: 0, unit: 'count' },
    ]);
  });

  // @contract daily-1/fields: `include_sources` is false by default
  test('omits sources with include_sources=false and by default', async () => {
    const query = 'metrics=steps&start_date=2026-03-07&end_date=2026-03-07';
    const row = { date: '2026-03-07', metric: 'steps', value: 4000, unit: 'count' };
    for (const queryString of [query, `${query}&include_sources=false`])
      expect((await get(queryString)).body).toStrictEqual({ data: [row] });
  });

  // @contract daily-1/fields: Longer ranges are read in several windows
  test('reads a longer range in windows of 90 days', async () => {
    const windows = [
      'start_date=2025-12-08&end_date=2026-03-07',
      'start_date=2026-03-08&end_date=2026-06-05',
    ];
    const responses = await Promise.all(
      windows.map((window) => get(`metrics=steps&${window}&include_missing=true`)),
    );
    const rows = responses.flatMap(({ body }) => body.data);
    expect(rows).toHaveLength(180);
    expect(rows.filter(({ value }: { value: number | null }) => value !== null)).toMatchObject([
      { date: '2026-03-07', value: 4000 },
      { date: '2026-03-09', value: 0 },
    ]);
  });
});

describe('form selection', () => {
  // @contract all/forms: The header `API-Form` selects the form, and the response repeats it
  test.each([
    // @contract all/caching: Responses of operations with two forms also vary by form
    ['2', 'from_date=2026-03-07&to_date=2026-03-07&types=steps', '2'],
    ['1', 'start_date=2026-03-07&end_date=2026-03-07&metrics=steps', '1'],
  ])('returns the requested form for API-Form: %s', async (form, query, expectedForm) => {
    const response = await app.request('GET', `/v1/users/${user.id}/daily?${query}`, {
      headers: { 'api-form': form },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('api-form')).toBe(expectedForm);
    expect(response.headers.get('vary')).toBe('Authorization, API-Form');
  });

  test.each([
    // @contract all/forms: Fields of the form that the header did not select are 400 `mixed_forms`
    ['1', 'types=steps', 400, 'mixed_forms', { form_1: [], form_2: ['types'] }],
    // @contract all/forms: Fields of the form that the header did not select are 400 `mixed_forms`
    ['2', 'metrics=steps', 400, 'mixed_forms', { form_1: ['metrics'], form_2: [] }],
    // @contract all/forms: Fields of both forms are 400 `mixed_forms`, which lists them
    [
      undefined,
      'start_date=2026-03-07&to_date=2026-03-07',
      400,
      'mixed_forms',
      { form_1: ['start_date'], form_2: ['to_date'] },
    ],
    // @contract all/forms: Any other value of the header is 400
    [
      '3',
      'types=steps',
      400,
      'invalid_request',
      { fields: [{ in: 'header', name: 'API-Form', problem: 'must be 1 or 2' }] },
    ],
    // @contract daily-1/invalid: Both dates missing, when the header selects this form
    [
      '1',
      '',
      400,
      'invalid_request',
      { fields: [{ in: 'query', name: 'start_date', problem: 'is required' }] },
    ],
  ] as const)('API-Form: %s with ?%s returns %i %s', async (form, query, status, error, details) => {
    const headers: Record<string, string> = form === undefined ? {} : { 'api-form': form };
    const response = await app.request('GET', `/v1/users/${user.id}/daily?${query}`, { headers });
    expect(response.status).toBe(status);
    expect(response.body).toStrictEqual({
      error,
      message: expect.any(String),
      details: { ...details, request_id: expect.any(String) },
    });
  });
});

// @contract daily-1/fields: A value from several providers names the best-ranked one as source and all of them in `contributors`
// @contract daily-2/fields: A source has `contributors` when several providers contributed _(addition)_
test('names the best-ranked provider of a value and all contributors, in both forms', async () => {
  const walker = await createSdkUser(app);
  const daily = (value: number) => ({ daily: [{ metric: 'steps', date: '2026-03-01', value }] });
  await deliver(app, walker, { device: watch, ...daily(8000) }, { device: ring, ...daily(6000) });
  const body = { metrics: { steps: { method: 'avg' } } };
  expect((await app.request('PATCH', `/v1/users/${walker.id}/consolidation`, { body })).status).toBe(202);
  await reconsolidateUser(app.ctx, walker.uuid);
  const { rows } = await app.admin.query('SELECT id FROM devices WHERE user_id = $1 ORDER BY provider', [
    walker.uuid,
  ]);
  const contributor = (provider: string, at: number, original_value: number) => ({
    provider,
    device_id: formatId('dev', rows[at].id),
    original_value,
    original_unit: 'count',
    coverage: 1,
  });
  const contributors = [contributor('apple_health', 0, 8000), contributor('health_connect', 1, 6000)];
  const day = '2026-03-01';
  expect(
    (await get(`metrics=steps&start_date=${day}&end_date=${day}&include_sources=true`, walker)).body,
  ).toStrictEqual({
    data: [{ date: day, metric: 'steps', value: 7000, unit: 'count', source: contributors[0], contributors }],
  });
  expect(
    (await get(`types=steps&from_date=${day}&to_date=${day}&include_sources=true`, walker)).body,
  ).toStrictEqual({
    from_date: day,
    to_date: day,
    dates: [day],
    series: { steps: [7000] },
    units: { steps: 'count' },
    sources: { steps: [contributors[0]] },
    contributors: { steps: [contributors] },
  });
});
