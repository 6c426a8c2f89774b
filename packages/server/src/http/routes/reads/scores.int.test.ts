import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScoredUser, datesFrom, nightOf } from '../../../test/data/scored-user.ts';
import { scoreThrough } from '../../../test/data/score-through.ts';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../../test/data/uploads.ts';

let app: TestApp;
let ada: PhoneUser;
/** One in the afternoon in Berlin, one at night on the 11th in Auckland. */
const nowMs = Date.parse('2026-03-10T12:00:00Z');
const types = [
  'recovery_score',
  'strain_score',
  'sleep_score',
  'stress_score',
  'nutrition_score',
  'energy_reserve_score',
];

beforeAll(async () => {
  app = await startTestApp();
  await app.moveClock(nowMs - app.ctx.clock.now());
  ada = await createScoredUser(app, datesFrom('2026-03-02', 8));
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (query: string, headers: Record<string, string> = {}, id = ada.id) =>
  app.request('GET', `/v1/users/${id}/scores${query}`, { headers });
const factor = (name: string, contribution: number, direction: string) => ({ name, contribution, direction });

describe('Form 1', () => {
  // @contract scores-1/fields: `data` has one item per score: `type`, `value`, `computed_at`, `factors`; _(addition)_ `date`, `recipe_version`, `confidence`
  // @contract scores-1/fields: There are six scores: `recovery_score`, `strain_score`, `sleep_score`, `stress_score`, `nutrition_score`, `energy_reserve_score`, in this order
  // @contract scores-1/fields: A factor has `name`, `contribution` and `direction`, which is `positive`, `negative` or `neutral`
  // @contract scores-1/fields: Factors add up exactly to the value, in tenths
  // @contract scores-1/fields: A score without a value is omitted
  test('returns the newest value of each score with factors that add up to it', async () => {
    const { status, body, headers } = await get('');
    expect(status).toBe(200);
    expect(headers.get('api-form')).toBe('1');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const about = {
      computed_at: expect.stringMatching(/^2026-03-10T12:0\d:\d\d\.\d{3}Z$/),
      date: '2026-03-09',
      recipe_version: 2,
      confidence: 'normal',
    };
    expect(body).toStrictEqual({
      data: [
        {
          type: 'recovery_score',
          value: 46.1,
          ...about,
          factors: [
            factor('baseline', 50, 'neutral'),
            factor('load_balance', -3.9, 'negative'),
            factor('resting_heart_rate', 0, 'neutral'),
            factor('sleep', 0, 'neutral'),
          ],
        },
        { type: 'strain_score', value: 49.4, ...about, factors: [factor('active_energy', 49.4, 'positive')] },
        {
          type: 'sleep_score',
          value: 89.5,
          ...about,
          factors: [
            factor('baseline', 75, 'neutral'),
            factor('duration', 6.1, 'positive'),
            factor('regularity', 5, 'positive'),
            factor('continuity', -3.6, 'negative'),
            factor('efficiency', 3.5, 'positive'),
            factor('restorative_sleep', 2.5, 'positive'),
            // No device measured it, so the population median counts.
            factor('latency', 1, 'positive'),
          ],
        },
        {
          type: 'stress_score',
          value: 30,
          ...about,
          factors: [factor('baseline', 30, 'neutral'), factor('resting_heart_rate', 0, 'neutral')],
        },
        {
          type: 'energy_reserve_score',
          value: 5.7,
          ...about,
          factors: [
            factor('time_awake', -60, 'negative'),
            factor('sleep_charge', 52, 'positive'),
            factor('carried_over', 28.5, 'positive'),
            factor('strain', -14.8, 'negative'),
            factor('stress', 0, 'neutral'),
          ],
        },
      ],
    });
    for (const { value, factors } of body.data) {
      const tenths = factors.map(({ contribution }: { contribution: number }) =>
        Math.round(10 * contribution),
      );
      expect(tenths.reduce((sum: number, each: number) => sum + each, 0)).toBe(Math.round(10 * value));
    }
  });

  test.each([
    // @contract scores-1/fields: Each score is its newest value of the last seven local days
    ['Europe/Berlin', '2026-03-04', ['2026-03-04']],
    // @contract scores-1/fields: Each score is its newest value of the last seven local days
    ['Europe/Berlin', '2026-03-03', []],
    // @contract scores-1/fields: Each score is its newest value of the last seven local days
    ['Pacific/Auckland', '2026-03-04', []],
    ['Pacific/Auckland', '2026-03-05', ['2026-03-05']],
    ['America/Los_Angeles', '2026-03-04', ['2026-03-04']],
  ])('in %s a night of %s appears on %j: seven local days count', async (timezone, date, shown) => {
    const user = await createPhoneUser(app, { timezone });
    // In the middle of the day there.
    const end = timezone === 'Pacific/Auckland' ? `${date}T00:00:00Z` : `${date}T20:00:00Z`;
    const start = new Date(Date.parse(end) - 8 * 3_600_000).toISOString();
    await user.upload({ id: 'ring' }, { sleep: [{ ...nightOf(date), start, end }] });
    await workThrough(app);
    await scoreThrough(app);
    const { body } = await get('', {}, user.id);
    const nights = body.data.filter(({ type }: { type: string }) => type === 'sleep_score');
    expect(nights.map((score: { date: string }) => score.date)).toEqual(shown);
  });

  // @contract scores-1/fields: Each score is its newest value of the last seven local days
  test('uses the newest value, whatever the newest day has', async () => {
    const user = await createScoredUser(app, ['2026-03-05', '2026-03-06']);
    await user.upload(
      { id: 'watch' },
      { daily: [{ metric: 'active_calories', date: '2026-03-08', value: 600 }] },
    );
    await workThrough(app);
    await scoreThrough(app);
    const { body } = await get('', {}, user.id);
    expect(body.data.map(({ type, date }: { type: string; date: string }) => [type, date])).toEqual([
      ['strain_score', '2026-03-08'],
      ['sleep_score', '2026-03-06'],
      ['energy_reserve_score', '2026-03-06'],
    ]);
  });

  // @contract scores-1/fields: A score without a value is omitted
  test('returns an empty list for a user without scores', async () => {
    const user = await createPhoneUser(app);
    expect((await get('', {}, user.id)).body).toEqual({ data: [] });
  });

  // @contract scores-1/fields: _(addition)_ `include_sources` adds `source`, which is null, and `unit_system` has no effect
  test('returns null sources, because scores come from no device', async () => {
    const { body } = await get('?include_sources=true&unit_system=imperial', { 'api-form': '1' });
    expect(body.data).toHaveLength(5);
    for (const score of body.data) expect(score.source).toBeNull();
    expect((await get('', { 'api-form': '1' })).body.data[0]).not.toHaveProperty('source');
  });
});

describe('Form 2', () => {
  // @contract scores-2/fields: The response has `from_date`, `to_date`, `dates`, `series` and `latest`; _(addition)_ `units`
  // @contract scores-2/fields: There are five scores, all returned without `types`: those of Form 1 except `stress_score`
  // @contract scores-2/fields: `latest` has the last value of each score in the range: `date`, `value`, `previous_value`
  // @contract scores-2/rules: Days without a score are null; no day is omitted
  test('returns columns of all five scores and their latest values', async () => {
    const { status, body, headers } = await get('?from_date=2026-03-01&to_date=2026-03-10');
    expect(status).toBe(200);
    expect(headers.get('api-form')).toBe('2');
    expect(body).toStrictEqual({
      from_date: '2026-03-01',
      to_date: '2026-03-10',
      dates: datesFrom('2026-03-01', 10),
      series: {
        recovery_score: [null, null, null, null, 50, 48.5, 47.7, 46.9, 46.1, null],
        strain_score: [null, 24.2, 29.3, 33.7, 37.6, 41, 44, 46.8, 49.4, null],
        sleep_score: [null, 84.5, 84.5, 84.5, 89.5, 89.5, 89.5, 89.5, 89.5, null],
        nutrition_score: [null, null, null, null, null, null, null, null, null, null],
        energy_reserve_score: [null, 33.4, 33.1, 31.8, 32.7, 27.9, 24.8, 28.5, 5.7, null],
      },
      units: {
        recovery_score: 'score',
        strain_score: 'score',
        sleep_score: 'score',
        nutrition_score: 'score',
        energy_reserve_score: 'score',
      },
      latest: {
        recovery_score: { date: '2026-03-09', value: 46.1, previous_value: 46.9 },
        strain_score: { date: '2026-03-09', value: 49.4, previous_value: 46.8 },
        sleep_score: { date: '2026-03-09', value: 89.5, previous_value: 89.5 },
        nutrition_score: null,
        energy_reserve_score: { date: '2026-03-09', value: 5.7, previous_value: 28.5 },
      },
    });
    expect(Object.keys(body.series)).toEqual(types.filter((type) => type !== 'stress_score'));
    expect(Object.keys(body.latest)).toEqual(Object.keys(body.series));
  });

  // @contract scores-2/fields: `previous_value` is the value of the previous calendar day, null when that day has none or is out of range
  // @contract scores-2/fields: `latest` of a score is null when it has no value in the range
  test('returns the previous calendar day as previous_value, null when it has none or is out of range', async () => {
    const latest = async (query: string) => (await get(`?types=recovery_score&${query}`)).body.latest;
    expect(await latest('from_date=2026-03-05&to_date=2026-03-05')).toEqual({
      recovery_score: { date: '2026-03-05', value: 50, previous_value: null },
    });
    expect(await latest('from_date=2026-03-01&to_date=2026-03-05')).toEqual({
      recovery_score: { date: '2026-03-05', value: 50, previous_value: null },
    });
    expect(await latest('from_date=2026-03-05&to_date=2026-03-06')).toEqual({
      recovery_score: { date: '2026-03-06', value: 48.5, previous_value: 50 },
    });
    expect(await latest('from_date=2026-03-01&to_date=2026-03-04')).toEqual({ recovery_score: null });
  });

  // @contract scores-2/rules: Keys of `series` follow `types`, spaces are ignored, duplicates are returned once
  test('returns types in the requested order, each once, ignoring spaces', async () => {
    const { body } = await get('?types=sleep_score,%20strain_score%20,sleep_score&from_date=2026-03-09');
    for (const part of [body.series, body.units, body.latest])
      expect(Object.keys(part)).toEqual(['sleep_score', 'strain_score']);
    expect(body.series).toEqual({ sleep_score: [89.5, null], strain_score: [49.4, null] });
  });

  test.each([
    // @contract scores-2/fields: `from_date` defaults to 29 days before `to_date`, and `to_date` to today in the user's time zone
    ['Pacific/Auckland', '2026-03-11'],
    // @contract scores-2/fields: `from_date` defaults to 29 days before `to_date`, and `to_date` to today in the user's time zone
    ['America/Los_Angeles', '2026-03-10'],
    // @contract scores-2/fields: A user without a time zone uses UTC
    [undefined, '2026-03-10'],
  ])('covers the 30 days up to today without dates, in %s %s', async (timezone, today) => {
    const user = await createPhoneUser(app, timezone === undefined ? {} : { timezone });
    const { body } = await get('?types=sleep_score', {}, user.id);
    expect([body.dates.length, body.from_date, body.to_date]).toEqual([30, body.dates[0], today]);
  });

  // @contract scores-2/fields: _(addition)_ `include_sources` adds `sources`, all null, and `unit_system` has no effect
  test('returns null sources, because scores come from no device', async () => {
    const query = '?types=sleep_score&from_date=2026-03-08&to_date=2026-03-09&unit_system=imperial';
    const { body } = await get(`${query}&include_sources=true`);
    expect(body.sources).toEqual({ sleep_score: [null, null] });
    expect(body.series).toEqual({ sleep_score: [89.5, 89.5] });
    expect((await get(query)).body).not.toHaveProperty('sources');
  });

  test.each([
    // @contract scores-2/rules: An empty list of types is 422 `invalid_types`
    ['types=', ['']],
    // @contract scores-2/rules: An empty list of types is 422 `invalid_types`
    ['types=sleep_score,', ['']],
    // @contract scores-2/rules: An unsupported type is 422 `invalid_types`, and `details` names it
    ['types=nonsense,sleep_score', ['nonsense']],
    ['types=steps', ['steps']],
    // @contract scores-2/rules: An unsupported type is 422 `invalid_types`, and `details` names it
    ['types=Sleep_Score', ['Sleep_Score']],
    // @contract scores-2/rules: Daily rejects score IDs, and scores reject daily metric IDs
    ['types=sleep_score,steps,weight', ['steps', 'weight']],
  ])('returns 422 invalid_types for %s', async (query, unknown) => {
    expect(await get(`?${query}`)).toMatchObject({
      status: 422,
      body: { error: 'invalid_types', details: { types: unknown } },
    });
  });

  // @contract scores-2/rules: Daily rejects score IDs, and scores reject daily metric IDs
  // @contract scores-2/rules: `stress_score` is a daily metric and a score in Form 2: both endpoints accept it, with the same values
  test('rejects daily metrics in scores and scores in daily, and accepts stress in both', async () => {
    const daily = (id: string) =>
      app.request('GET', `/v1/users/${ada.id}/daily?types=${id}&from_date=2026-03-08&to_date=2026-03-09`);
    for (const type of types.filter((id) => id !== 'stress_score')) {
      expect(await daily(type)).toMatchObject({ status: 422, body: { error: 'invalid_types' } });
      expect((await get(`?types=${type}`)).status).toBe(200);
    }
    expect((await daily('stress_score')).body.series).toEqual({ stress_score: [22, 30] });
    const dates = 'from_date=2026-03-08&to_date=2026-03-09';
    const { status, body } = await get(`?types=stress_score,sleep_score&${dates}`);
    expect(status).toBe(200);
    expect(body.series).toEqual({ stress_score: [22, 30], sleep_score: [89.5, 89.5] });
    expect(Object.keys(body.series)).toEqual(['stress_score', 'sleep_score']);
    expect(body.units.stress_score).toBe('score');
    expect(body.latest.stress_score).toEqual({ date: '2026-03-09', value: 30, previous_value: 22 });
    expect((await get('?types=resting_heart_rate')).status).toBe(422);
  });

  // @contract scores-2/rules: At most 366 days, inclusive
  test('accepts 366 days and rejects 367', async () => {
    const { body } = await get('?from_date=2025-03-10&to_date=2026-03-10');
    expect(body.dates).toHaveLength(366);
    for (const query of ['from_date=2025-03-09&to_date=2026-03-10', 'from_date=2025-03-09'])
      expect(await get(`?${query}`)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

test.each([
  // @contract scores-2/rules: `from_date` later than `to_date` is invalid
  ['from_date=2026-03-02&to_date=2026-03-01', 'from_date', 'must not be later than `to_date`'],
  // @contract scores-2/rules: `from_date` later than `to_date` is invalid
  ['from_date=2026-03-12', 'from_date', 'must not be later than `to_date`'],
  // @contract scores-2/invalid: `from_date=2026-02-29`
  ['from_date=2026-02-29', 'from_date', 'must be a calendar date, YYYY-MM-DD'],
  // @contract scores-2/invalid: `to_date=`
  ['to_date=', 'to_date', 'must be a calendar date, YYYY-MM-DD'],
  // @contract scores-2/invalid: `to_date=1899-12-31`
  ['to_date=1899-12-31', 'to_date', 'must be a calendar date, YYYY-MM-DD, between 1900 and 2200'],
  // @contract scores-2/invalid: `to_date=2026-03-01T00:00:00Z`
  ['to_date=2026-03-01T00:00:00Z', 'to_date', 'must be a calendar date, YYYY-MM-DD'],
  // @contract scores-2/invalid: `types=sleep_score&types=strain_score`
  ['types=sleep_score&types=strain_score', 'types', 'must be a string'],
  // @contract scores-2/invalid: `unit_system=royal`
  ['unit_system=royal', 'unit_system', 'must be one of metric, imperial'],
  // @contract scores-2/invalid: `include_sources=1`
  ['include_sources=1', 'include_sources', 'must be true or false'],
  // @contract scores-1/fields: It accepts no dates
  ['start_date=2026-03-01', 'start_date', 'is not supported by this endpoint'],
  // @contract scores-2/invalid: `metrics=sleep_score`
  ['metrics=sleep_score', 'metrics', 'is not supported by this endpoint'],
  // @contract scores-2/invalid: `limit=5`
  ['limit=5', 'limit', 'is not supported by this endpoint'],
])('returns 400 for %s and states the reason', async (query, name, problem) => {
  const { status, body } = await get(`?${query}`);
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect(body.details.fields).toEqual([{ in: 'query', name, problem: expect.stringContaining(problem) }]);
});

// @contract scores-2/invalid: A list that is too long
test('returns 400 for a list of types that is too long', async () => {
  const { status, body } = await get(`?types=${'sleep_score,'.repeat(800)}`);
  expect(status).toBe(400);
  expect(body.details.fields).toEqual([
    { in: 'query', name: 'types', problem: 'must have at most 8192 characters' },
  ]);
});

describe('form selection', () => {
  // @contract all/forms: Scores without fields use the account's default form
  test('uses the account’s default form without fields, which is Form 1 unless changed', async () => {
    expect((await get('')).headers.get('api-form')).toBe('1');
    const { headers, body } = await get('', { 'api-form': '2' });
    expect(headers.get('api-form')).toBe('2');
    expect(body.dates).toHaveLength(30);
  });

  // @contract all/forms: Scores reject fields of both forms with 400 `mixed_forms`
  test.each([
    [{ 'api-form': '1' }, 'types=sleep_score', { form_1: [], form_2: ['types'] }],
    [{}, 'start_date=2026-03-01&to_date=2026-03-02', { form_1: ['start_date'], form_2: ['to_date'] }],
  ])('%j with ?%s returns 400 mixed_forms', async (headers, query, details) => {
    expect(await get(`?${query}`, headers as Record<string, string>)).toMatchObject({
      status: 400,
      body: { error: 'mixed_forms', details },
    });
  });
});

describe('history', () => {
  const history = (query: string, headers: Record<string, string> = {}) => get(`/history?${query}`, headers);

  // @contract scores-1/fields: There are six scores: `recovery_score`, `strain_score`, `sleep_score`, `stress_score`, `nutrition_score`, `energy_reserve_score`, in this order
  // @contract score-history/fields: `data` has rows of `date`, `type`, `value`, ordered by date, then type
  // @contract score-history/fields: A missing value has no row
  test('has a row for each value, by date, then type', async () => {
    const { status, body, headers } = await history('start_date=2026-03-09&end_date=2026-03-10');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const values = { energy_reserve_score: 5.7, recovery_score: 46.1, sleep_score: 89.5 };
    expect(body).toStrictEqual({
      data: Object.entries({ ...values, strain_score: 49.4, stress_score: 30 }).map(([type, value]) => ({
        date: '2026-03-09',
        type,
        value,
      })),
    });
    const explicit = await history('start_date=2026-03-10&end_date=2026-03-10&include_missing=false');
    expect(explicit.body).toStrictEqual({ data: [] });
  });

  // @contract score-history/fields: `include_missing=true` adds rows for missing values: `value` is null, and `reason` states why _(addition)_
  test('adds rows for missing values with null and the reason on request', async () => {
    const dates = 'start_date=2026-03-09&end_date=2026-03-11';
    const { status, body } = await history(`types=nutrition_score,sleep_score&${dates}&include_missing=true`);
    expect(status).toBe(200);
    const missing = (date: string, type: string, reason: string) => ({ date, type, value: null, reason });
    expect(body).toStrictEqual({
      data: [
        missing('2026-03-09', 'nutrition_score', 'not_reported'),
        { date: '2026-03-09', type: 'sleep_score', value: 89.5 },
        missing('2026-03-10', 'nutrition_score', 'not_reported'),
        missing('2026-03-10', 'sleep_score', 'not_reported'),
        missing('2026-03-11', 'nutrition_score', 'not_synced_yet'),
        missing('2026-03-11', 'sleep_score', 'not_synced_yet'),
      ],
    });
    const user = await createPhoneUser(app);
    const oneDay = 'types=sleep_score&start_date=2026-03-09&end_date=2026-03-09&include_missing=true';
    expect((await get(`/history?${oneDay}`, {}, user.id)).body.data).toStrictEqual([
      missing('2026-03-09', 'sleep_score', 'no_device'),
    ]);
  });

  // @contract score-history/fields: `types` selects among the six scores; the default is all
  test('has the requested types, each once', async () => {
    const query = 'types=strain_score, sleep_score ,strain_score&start_date=2026-03-08&end_date=2026-03-09';
    expect((await history(query)).body.data).toEqual([
      { date: '2026-03-08', type: 'sleep_score', value: 89.5 },
      { date: '2026-03-08', type: 'strain_score', value: 46.8 },
      { date: '2026-03-09', type: 'sleep_score', value: 89.5 },
      { date: '2026-03-09', type: 'strain_score', value: 49.4 },
    ]);
  });

  // @contract score-history/fields: Score history has one shape and ignores the header
  test('has one shape and ignores the header', async () => {
    const { status, headers, body } = await history('start_date=2026-03-09&end_date=2026-03-09', {
      'api-form': '2',
    });
    expect([status, headers.get('api-form'), headers.get('vary')]).toEqual([200, null, 'Authorization']);
    expect(body.data).toHaveLength(5);
  });

  // @contract score-history/fields: At most 366 days, inclusive
  test('accepts 366 days and rejects 367', async () => {
    const range = (first: string) => `types=sleep_score&start_date=${first}&end_date=2026-03-10`;
    const { body } = await history(`${range('2025-03-10')}&include_missing=true`);
    expect(body.data).toHaveLength(366);
    expect((await history(range('2025-03-10'))).body.data).toHaveLength(8);
    expect((await history(range('2025-03-09'))).status).toBe(400);
  });

  test.each([
    // @contract score-history/fields: Unknown or empty types are 422 `invalid_types`
    ['types=', ['']],
    ['types=sleep_score,', ['']],
    // @contract score-history/fields: Unknown or empty types are 422 `invalid_types`
    ['types=steps', ['steps']],
    // @contract score-history/fields: Unknown or empty types are 422 `invalid_types`
    ['types=nonsense,stress_score', ['nonsense']],
  ])('returns 422 invalid_types for %s', async (query, unknown) => {
    expect(await history(`${query}&start_date=2026-03-09&end_date=2026-03-09`)).toMatchObject({
      status: 422,
      body: { error: 'invalid_types', details: { types: unknown } },
    });
  });

  test.each([
    // @contract score-history/fields: `start_date` and `end_date` are required
    ['start_date=2026-03-01', 'end_date', 'is required'],
    // @contract score-history/fields: `start_date` and `end_date` are required
    ['end_date=2026-03-01', 'start_date', 'is required'],
    // @contract score-history/invalid: `start_date=2026-03-02&end_date=2026-03-01`
    ['start_date=2026-03-02&end_date=2026-03-01', 'start_date', 'must not be later than `end_date`'],
    // @contract score-history/invalid: `start_date=2026-02-30&end_date=2026-03-01`
    ['start_date=2026-02-30&end_date=2026-03-01', 'start_date', 'must be a calendar date, YYYY-MM-DD'],
    // @contract score-history/invalid: `start_date=2026-03-01&end_date=tomorrow`
    ['start_date=2026-03-01&end_date=tomorrow', 'end_date', 'must be a calendar date, YYYY-MM-DD'],
    // @contract score-history/invalid: `start_date=2026-03-01&end_date=2201-01-01`
    ['start_date=2026-03-01&end_date=2201-01-01', 'end_date', 'between 1900 and 2200'],
    // @contract score-history/invalid: `start_date=2026-03-01&end_date=2026-03-02&from_date=2026-03-01`
    [
      'start_date=2026-03-01&end_date=2026-03-02&from_date=2026-03-01',
      'from_date',
      'is not supported by this endpoint',
    ],
    // @contract score-history/invalid: `start_date=2026-03-01&end_date=2026-03-02&metrics=sleep_score`
    [
      'start_date=2026-03-01&end_date=2026-03-02&metrics=sleep_score',
      'metrics',
      'is not supported by this endpoint',
    ],
    // @contract score-history/invalid: `include_missing` that is neither true nor false
    [
      'start_date=2026-03-01&end_date=2026-03-02&include_missing=1',
      'include_missing',
      'must be true or false',
    ],
    // @contract score-history/invalid: `start_date=2026-03-01&end_date=2026-03-02&types=a&types=b`
    ['start_date=2026-03-01&end_date=2026-03-02&types=a&types=b', 'types', 'must be a string'],
  ])('returns 400 for %s and states the reason', async (query, name, problem) => {
    const { status, body } = await history(query);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details.fields).toEqual([{ in: 'query', name, problem: expect.stringContaining(problem) }]);
  });
});

describe('caching', () => {
  const paths = [
    // @contract all/caching: Scores may be cached for five minutes: `private, max-age=300`
    // @contract all/caching: Scores: 304 for a matching tag, until something changes
    '',
    // @contract all/caching: Scores: 304 for a matching tag, until something changes
    '?from_date=2026-03-08&to_date=2026-03-10',
    // @contract all/caching: Scores may be cached for five minutes: `private, max-age=300`
    '/history?start_date=2026-03-08&end_date=2026-03-10',
  ];

  test.each(paths)(
    'allows five minutes for scores%s and returns 304 for a current tag until they change',
    async (path) => {
      const user = await createScoredUser(app, datesFrom('2026-03-08', 2));
      const first = await get(path, {}, user.id);
      const etag = first.headers.get('etag')!;
      expect(first.headers.get('cache-control')).toBe('private, max-age=300');
      expect(first.headers.get('vary')).toBe(
        path.startsWith('/history') ? 'Authorization' : 'Authorization, API-Form',
      );
      const again = await get(path, { 'if-none-match': etag }, user.id);
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('cache-control')).toBe('private, max-age=300');
      await user.upload({ id: 'watch' }, { sleep: [nightOf('2026-03-10')] });
      await workThrough(app);
      await scoreThrough(app);
      const changed = await get(path, { 'if-none-match': etag }, user.id);
      expect(changed.status).toBe(200);
      expect(changed.headers.get('etag')).not.toBe(etag);
      expect(JSON.stringify(changed.body)).toContain('2026-03-10');
    },
  );

  test('does not cache an error', async () => {
    const { status, headers } = await get('?types=steps');
    expect([status, headers.get('cache-control')]).toEqual([422, 'no-store']);
  });
});

// @contract score-history/fields: A score has the same value in every response
test('returns the same stress score in every response', async () => {
  const dates = 'start_date=2026-03-08&end_date=2026-03-08';
  const daily = await app.request('GET', `/v1/users/${ada.id}/daily?metrics=stress_score&${dates}`);
  expect(daily.body.data).toEqual([{ date: '2026-03-08', metric: 'stress_score', value: 22, unit: 'score' }]);
  expect((await get(`/history?types=stress_score&${dates}`)).body.data).toEqual([
    { date: '2026-03-08', type: 'stress_score', value: 22 },
  ]);
});
