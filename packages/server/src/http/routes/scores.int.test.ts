import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScoredUser, datesFrom, nightOf } from '../../test/scored-user.ts';
import { scoreThrough } from '../../test/score-through.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/uploads.ts';

let app: TestApp;
let ada: PhoneUser;
/** One in the afternoon in Berlin, one in the night of the 11th in Auckland. */
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
  test('answers the newest value of each score with factors that add up to it', async () => {
    const { status, body, headers } = await get('');
    expect(status).toBe(200);
    expect(headers.get('api-form')).toBe('1');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const about = {
      computed_at: expect.stringMatching(/^2026-03-10T12:0\d:\d\d\.\d{3}Z$/),
      date: '2026-03-09',
    };
    expect(body).toStrictEqual({
      data: [
        {
          type: 'recovery_score',
          value: 57.9,
          ...about,
          factors: [
            factor('baseline', 50, 'neutral'),
            factor('sleep', 11.8, 'positive'),
            factor('load_balance', -3.9, 'negative'),
            factor('resting_heart_rate', 0, 'neutral'),
          ],
        },
        { type: 'strain_score', value: 49.4, ...about, factors: [factor('active_energy', 49.4, 'positive')] },
        {
          type: 'sleep_score',
          value: 89.2,
          ...about,
          factors: [
            factor('baseline', 75, 'neutral'),
            factor('duration', 6.5, 'positive'),
            factor('regularity', 5.3, 'positive'),
            factor('continuity', -3.8, 'negative'),
            factor('efficiency', 3.6, 'positive'),
            factor('restorative_sleep', 2.6, 'positive'),
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
          value: 11.5,
          ...about,
          factors: [
            factor('time_awake', -65.3, 'negative'),
            factor('sleep_charge', 61.6, 'positive'),
            factor('carried_over', 27.5, 'positive'),
            factor('strain', -12.3, 'negative'),
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
    ['Europe/Berlin', '2026-03-04', ['2026-03-04']],
    ['Europe/Berlin', '2026-03-03', []],
    ['Pacific/Auckland', '2026-03-04', []],
    ['Pacific/Auckland', '2026-03-05', ['2026-03-05']],
    ['America/Los_Angeles', '2026-03-04', ['2026-03-04']],
  ])('in %s a night of %s is shown on %j: seven local days count', async (timezone, date, shown) => {
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

  test('the newest value counts, whatever the newest day has', async () => {
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

  test('a user without scores has an empty list', async () => {
    const user = await createPhoneUser(app);
    expect((await get('', {}, user.id)).body).toEqual({ data: [] });
  });

  test('sources are asked for in vain: scores are nobody’s', async () => {
    const { body } = await get('?include_sources=true&unit_system=imperial', { 'api-form': '1' });
    expect(body.data).toHaveLength(5);
    for (const score of body.data) expect(score.source).toBeNull();
    expect((await get('', { 'api-form': '1' })).body.data[0]).not.toHaveProperty('source');
  });
});

describe('Form 2', () => {
  test('answers columns of all five scores and their latest values', async () => {
    const { status, body, headers } = await get('?from_date=2026-03-01&to_date=2026-03-10');
    expect(status).toBe(200);
    expect(headers.get('api-form')).toBe('2');
    expect(body).toStrictEqual({
      from_date: '2026-03-01',
      to_date: '2026-03-10',
      dates: datesFrom('2026-03-01', 10),
      series: {
        recovery_score: [null, null, null, null, 65.8, 60.4, 59.6, 58.7, 57.9, null],
        strain_score: [null, 24.2, 29.3, 33.7, 37.6, 41, 44, 46.8, 49.4, null],
        sleep_score: [null, 86.3, 86.3, 86.3, 89.2, 89.2, 89.2, 89.2, 89.2, null],
        nutrition_score: [null, null, null, null, null, null, null, null, null, null],
        energy_reserve_score: [null, 30.2, 29.3, 28.2, 30.4, 25.7, 23.2, 27.5, 11.5, null],
      },
      units: {
        recovery_score: 'score',
        strain_score: 'score',
        sleep_score: 'score',
        nutrition_score: 'score',
        energy_reserve_score: 'score',
      },
      latest: {
        recovery_score: { date: '2026-03-09', value: 57.9, previous_value: 58.7 },
        strain_score: { date: '2026-03-09', value: 49.4, previous_value: 46.8 },
        sleep_score: { date: '2026-03-09', value: 89.2, previous_value: 89.2 },
        nutrition_score: null,
        energy_reserve_score: { date: '2026-03-09', value: 11.5, previous_value: 27.5 },
      },
    });
    expect(Object.keys(body.series)).toEqual(types.filter((type) => type !== 'stress_score'));
    expect(Object.keys(body.latest)).toEqual(Object.keys(body.series));
  });

  test('previous_value is that of the calendar day before, null when it has none or is out of range', async () => {
    const latest = async (query: string) => (await get(`?types=recovery_score&${query}`)).body.latest;
    expect(await latest('from_date=2026-03-05&to_date=2026-03-05')).toEqual({
      recovery_score: { date: '2026-03-05', value: 65.8, previous_value: null },
    });
    expect(await latest('from_date=2026-03-01&to_date=2026-03-05')).toEqual({
      recovery_score: { date: '2026-03-05', value: 65.8, previous_value: null },
    });
    expect(await latest('from_date=2026-03-05&to_date=2026-03-06')).toEqual({
      recovery_score: { date: '2026-03-06', value: 60.4, previous_value: 65.8 },
    });
    expect(await latest('from_date=2026-03-01&to_date=2026-03-04')).toEqual({ recovery_score: null });
  });

  test('types come in the order asked for, each once, whatever the blanks', async () => {
    const { body } = await get('?types=sleep_score,%20strain_score%20,sleep_score&from_date=2026-03-09');
    for (const part of [body.series, body.units, body.latest])
      expect(Object.keys(part)).toEqual(['sleep_score', 'strain_score']);
    expect(body.series).toEqual({ sleep_score: [89.2, null], strain_score: [49.4, null] });
  });

  test.each([
    ['Pacific/Auckland', '2026-03-11'],
    ['America/Los_Angeles', '2026-03-10'],
    [undefined, '2026-03-10'],
  ])('without dates it has the 30 days up to today, in %s %s', async (timezone, today) => {
    const user = await createPhoneUser(app, timezone === undefined ? {} : { timezone });
    const { body } = await get('?types=sleep_score', {}, user.id);
    expect([body.dates.length, body.from_date, body.to_date]).toEqual([30, body.dates[0], today]);
  });

  test('sources are asked for in vain: scores are nobody’s', async () => {
    const query = '?types=sleep_score&from_date=2026-03-08&to_date=2026-03-09&unit_system=imperial';
    const { body } = await get(`${query}&include_sources=true`);
    expect(body.sources).toEqual({ sleep_score: [null, null] });
    expect(body.series).toEqual({ sleep_score: [89.2, 89.2] });
    expect((await get(query)).body).not.toHaveProperty('sources');
  });

  test.each([
    ['types=', ['']],
    ['types=sleep_score,', ['']],
    ['types=nonsense,sleep_score', ['nonsense']],
    ['types=stress_score', ['stress_score']],
    ['types=steps', ['steps']],
    ['types=Sleep_Score', ['Sleep_Score']],
    ['types=sleep_score,steps,weight', ['steps', 'weight']],
  ])('%s is 422 invalid_types', async (query, unknown) => {
    expect(await get(`?${query}`)).toMatchObject({
      status: 422,
      body: { error: 'invalid_types', details: { types: unknown } },
    });
  });

  test('daily metrics are refused by scores, and scores by daily, but for stress', async () => {
    const daily = (id: string) =>
      app.request('GET', `/v1/users/${ada.id}/daily?types=${id}&from_date=2026-03-08&to_date=2026-03-09`);
    for (const type of types.filter((id) => id !== 'stress_score')) {
      expect(await daily(type)).toMatchObject({ status: 422, body: { error: 'invalid_types' } });
      expect((await get(`?types=${type}`)).status).toBe(200);
    }
    expect((await daily('stress_score')).body.series).toEqual({ stress_score: [22, 30] });
    expect((await get('?types=stress_score')).status).toBe(422);
    expect((await get('?types=resting_heart_rate')).status).toBe(422);
  });

  test('366 days are answered, 367 are refused', async () => {
    const { body } = await get('?from_date=2025-03-10&to_date=2026-03-10');
    expect(body.dates).toHaveLength(366);
    for (const query of ['from_date=2025-03-09&to_date=2026-03-10', 'from_date=2025-03-09'])
      expect(await get(`?${query}`)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

test.each([
  ['from_date=2026-03-02&to_date=2026-03-01', 'from_date', 'must not be later than to_date'],
  ['from_date=2026-03-12', 'from_date', 'must not be later than to_date'],
  ['from_date=2026-02-29', 'from_date', 'must be a calendar date, YYYY-MM-DD'],
  ['to_date=', 'to_date', 'must be a calendar date, YYYY-MM-DD'],
  ['to_date=1899-12-31', 'to_date', 'must be a calendar date, YYYY-MM-DD, between 1900 and 2200'],
  ['to_date=2026-03-01T00:00:00Z', 'to_date', 'must be a calendar date, YYYY-MM-DD'],
  ['types=sleep_score&types=strain_score', 'types', 'must be string'],
  ['unit_system=royal', 'unit_system', 'must be one of metric, imperial'],
  ['include_sources=1', 'include_sources', 'must be boolean'],
  ['start_date=2026-03-01', 'start_date', 'is not known here'],
  ['metrics=sleep_score', 'metrics', 'is not known here'],
  ['limit=5', 'limit', 'is not known here'],
])('%s is 400 and says what is wrong', async (query, name, problem) => {
  const { status, body } = await get(`?${query}`);
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect(body.details.fields).toEqual([{ in: 'query', name, problem: expect.stringContaining(problem) }]);
});

test('a list of types without end is 400', async () => {
  const { status, body } = await get(`?types=${'sleep_score,'.repeat(800)}`);
  expect(status).toBe(400);
  expect(body.details.fields).toEqual([
    { in: 'query', name: 'types', problem: 'must have at most 8192 characters' },
  ]);
});

describe('the form', () => {
  test('without fields it is the one of the account, which is Form 1 until changed', async () => {
    expect((await get('')).headers.get('api-form')).toBe('1');
    const { headers, body } = await get('', { 'api-form': '2' });
    expect(headers.get('api-form')).toBe('2');
    expect(body.dates).toHaveLength(30);
  });

  test.each([
    [{ 'api-form': '1' }, 'types=sleep_score', { form_1: [], form_2: ['types'] }],
    [{}, 'start_date=2026-03-01&to_date=2026-03-02', { form_1: ['start_date'], form_2: ['to_date'] }],
  ])('%j with ?%s is 400 mixed_forms', async (headers, query, details) => {
    expect(await get(`?${query}`, headers as Record<string, string>)).toMatchObject({
      status: 400,
      body: { error: 'mixed_forms', details },
    });
  });
});

describe('history', () => {
  const history = (query: string, headers: Record<string, string> = {}) => get(`/history?${query}`, headers);

  test('has a row for every day and score, by date, then type, with null where there is none', async () => {
    const { status, body, headers } = await history('start_date=2026-03-09&end_date=2026-03-10');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const rows = (date: string, values: (number | null)[]) =>
      types.toSorted().map((type, at) => ({ date, type, value: values[at] }));
    expect(body).toStrictEqual({
      data: [
        ...rows('2026-03-09', [11.5, null, 57.9, 89.2, 49.4, 30]),
        ...rows('2026-03-10', [null, null, null, null, null, null]),
      ],
    });
  });

  test('has the types asked for, by their names, each once', async () => {
    const query = 'types=strain_score, sleep_score ,strain_score&start_date=2026-03-08&end_date=2026-03-09';
    expect((await history(query)).body.data).toEqual([
      { date: '2026-03-08', type: 'sleep_score', value: 89.2 },
      { date: '2026-03-08', type: 'strain_score', value: 46.8 },
      { date: '2026-03-09', type: 'sleep_score', value: 89.2 },
      { date: '2026-03-09', type: 'strain_score', value: 49.4 },
    ]);
  });

  test('has one shape and does not look at the header', async () => {
    const { status, headers, body } = await history('start_date=2026-03-09&end_date=2026-03-09', {
      'api-form': '2',
    });
    expect([status, headers.get('api-form'), headers.get('vary')]).toEqual([200, null, 'Authorization']);
    expect(body.data).toHaveLength(6);
  });

  test('90 days are answered, 91 are refused', async () => {
    const { body } = await history('types=sleep_score&start_date=2025-12-11&end_date=2026-03-10');
    expect(body.data).toHaveLength(90);
    expect((await history('types=sleep_score&start_date=2025-12-10&end_date=2026-03-10')).status).toBe(400);
  });

  test.each([
    ['types=', ['']],
    ['types=sleep_score,', ['']],
    ['types=steps', ['steps']],
    ['types=nonsense,stress_score', ['nonsense']],
  ])('%s is 422 invalid_types', async (query, unknown) => {
    expect(await history(`${query}&start_date=2026-03-09&end_date=2026-03-09`)).toMatchObject({
      status: 422,
      body: { error: 'invalid_types', details: { types: unknown } },
    });
  });

  test.each([
    ['start_date=2026-03-01', 'end_date', 'is required'],
    ['end_date=2026-03-01', 'start_date', 'is required'],
    ['start_date=2026-03-02&end_date=2026-03-01', 'start_date', 'must not be later than end_date'],
    ['start_date=2026-02-30&end_date=2026-03-01', 'start_date', 'must be a calendar date, YYYY-MM-DD'],
    ['start_date=2026-03-01&end_date=tomorrow', 'end_date', 'must be a calendar date, YYYY-MM-DD'],
    ['start_date=2026-03-01&end_date=2201-01-01', 'end_date', 'between 1900 and 2200'],
    ['start_date=2026-03-01&end_date=2026-03-02&from_date=2026-03-01', 'from_date', 'is not known here'],
    ['start_date=2026-03-01&end_date=2026-03-02&metrics=sleep_score', 'metrics', 'is not known here'],
    ['start_date=2026-03-01&end_date=2026-03-02&types=a&types=b', 'types', 'must be string'],
  ])('%s is 400 and says what is wrong', async (query, name, problem) => {
    const { status, body } = await history(query);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details.fields).toEqual([{ in: 'query', name, problem: expect.stringContaining(problem) }]);
  });
});

describe('caching', () => {
  const paths = [
    '',
    '?from_date=2026-03-08&to_date=2026-03-10',
    '/history?start_date=2026-03-08&end_date=2026-03-10',
  ];

  test.each(paths)(
    'scores%s may be kept for five minutes, and who has them is told so until they change',
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

  test('an error is not kept', async () => {
    const { status, headers } = await get('?types=steps');
    expect([status, headers.get('cache-control')]).toEqual([422, 'no-store']);
  });
});

test('stress is the same number wherever it is shown', async () => {
  const dates = 'start_date=2026-03-08&end_date=2026-03-08';
  const daily = await app.request('GET', `/v1/users/${ada.id}/daily?metrics=stress_score&${dates}`);
  expect(daily.body.data).toEqual([{ date: '2026-03-08', metric: 'stress_score', value: 22, unit: 'score' }]);
  expect((await get(`/history?types=stress_score&${dates}`)).body.data).toEqual([
    { date: '2026-03-08', type: 'stress_score', value: 22 },
  ]);
});
