import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSchemaCheck, listOperations, readOpenApiFile } from '../../../test/openapi-file.ts';
import { createScoredUser, dayMs, datesFrom, nightOf } from '../../../test/data/scored-user.ts';
import { scoreThrough } from '../../../test/data/score-through.ts';
import { startTestApp, type TestResponse, type TestApp } from '../../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../../test/data/uploads.ts';

let app: TestApp;
let ada: PhoneUser;
let deviceId: string;
const nowMs = Date.parse('2026-03-10T12:02:00Z');
const types = [
  'recovery_score',
  'strain_score',
  'sleep_score',
  'stress_score',
  'nutrition_score',
  'energy_reserve_score',
];
const document = await readOpenApiFile();
const check = createSchemaCheck(document);
const schema = listOperations(document)
  .find(({ operation }) => operation.operationId === 'explainScore')!
  .schemaOf('200');

beforeAll(async () => {
  app = await startTestApp();
  await app.moveClock(nowMs - app.ctx.clock.now());
  ada = await createScoredUser(app, datesFrom('2026-03-02', 8));
  const devices = await app.request('GET', `/v1/users/${ada.id}/devices`);
  deviceId = devices.body.data[0].id;
});
afterAll(() => app[Symbol.asyncDispose]());

const requestExplanation = (query: string, options: object = {}, id = ada.id): Promise<TestResponse> =>
  app.request('GET', `/v1/users/${id}/scores/explain?${query}`, options);

/** The explanation, checked against its schema and the history. */
async function explain(type: string, date: string, user = ada) {
  const { status, body } = await requestExplanation(`type=${type}&date=${date}`, {}, user.id);
  expect(status).toBe(200);
  expect(check(schema, body)).toBeNull();
  const dates = `start_date=${date}&end_date=${date}`;
  const history = await app.request('GET', `/v1/users/${user.id}/scores/history?types=${type}&${dates}`);
  expect(history.body.data).toEqual(body.value === null ? [] : [{ date, type, value: body.value }]);
  return body;
}

const noValue = (metric: string, unit: string) => ({ metric, value: null, unit, source: null });

describe('200', () => {
  // @contract explain-score/fields: Recipe, ingredients, baselines, and inputs with their devices and previous days are exact enough to recompute the score
  test('returns every field of a score, exact enough to recompute it', async () => {
    const source = { provider: 'apple_health', device_id: deviceId };
    const dates = datesFrom('2026-03-02', 7);
    const body = await explain('recovery_score', '2026-03-09');
    expect(body).toStrictEqual({
      type: 'recovery_score',
      date: '2026-03-09',
      timezone: 'Europe/Berlin',
      name: 'Recovery',
      state: 'published',
      value: 46.1,
      computed_at: expect.stringMatching(/^2026-03-10T12:0\d:\d\d\.\d{3}Z$/),
      current_value: 46.1,
      up_to_date: true,
      confidence: 'normal',
      why: 'Recovery is 46.1 (moderate). Starting from the neutral 50, load balance subtracts 3.9.',
      recipe: {
        version: 2,
        neutral: 50,
        higher_is: 'better',
        band: 'moderate',
        minimum:
          'heart rate variability or resting heart rate for the date, with 3 earlier readings of the same metric, and inputs with at least 0.45 of the total weight',
      },
      factors: [
        { name: 'baseline', contribution: 50, direction: 'neutral' },
        { name: 'load_balance', contribution: -3.9, direction: 'negative' },
        { name: 'resting_heart_rate', contribution: 0, direction: 'neutral' },
        { name: 'sleep', contribution: 0, direction: 'neutral' },
      ],
      ingredients: [
        {
          name: 'resting_heart_rate',
          weight: 0.2,
          share: expect.closeTo(1 / 3, 12),
          sub_score: 50,
          contribution: 0,
          assumed: false,
        },
        {
          name: 'sleep',
          weight: 0.25,
          share: expect.closeTo(5 / 12, 12),
          sub_score: 50,
          contribution: 0,
          assumed: false,
        },
        {
          name: 'load_balance',
          weight: 0.15,
          share: 0.25,
          sub_score: expect.closeTo(34.202443709, 9),
          contribution: expect.closeTo(-3.949389073, 9),
          assumed: false,
        },
      ],
      // 54, 54, 54, 55, 55, 56, 56: the median deviation is 1.
      baselines: [
        {
          input: 'resting_heart_rate',
          transform: 'none',
          centre: 55,
          sd: expect.closeTo(Math.sqrt((7 * 1.4826 ** 2 + 14 * 3 ** 2) / 21), 12),
          readings: 7,
        },
        {
          input: 'asleep',
          transform: 'none',
          centre: 450,
          sd: expect.closeTo(Math.sqrt((14 * 50 ** 2) / 21), 12),
          readings: 7,
        },
      ],
      figures: {
        acute_training_load: expect.closeTo(55.475097656, 9),
        chronic_training_load: expect.closeTo(48.896228946, 9),
      },
      inputs: [
        noValue('sleep_heart_rate_variability', 'ms'),
        { metric: 'resting_heart_rate', value: 55, unit: 'bpm', source },
        noValue('sleep_respiratory_rate', 'breaths/min'),
        noValue('sleep_skin_temperature', '°C'),
        { metric: 'asleep', value: 450, unit: 'min', source },
      ],
      history: [
        { metric: 'sleep_heart_rate_variability', unit: 'ms', readings: [] },
        {
          metric: 'resting_heart_rate',
          unit: 'bpm',
          readings: dates.map((date, at) => ({ date, value: 54 + (at % 3) })),
        },
        {
          metric: 'training_load',
          unit: 'AU',
          readings: dates.map((date, at) => ({ date, value: 24 + 8 * at })),
        },
        { metric: 'sleep_respiratory_rate', unit: 'breaths/min', readings: [] },
        { metric: 'sleep_skin_temperature', unit: '°C', readings: [] },
        { metric: 'asleep', unit: 'min', readings: dates.map((date) => ({ date, value: 450 })) },
      ],
      other: {},
      missing: ['hrv_today', 'hrv_trend', 'respiratory_rate', 'body_temperature'],
    });
  });

  // @contract explain-score/fields: The explanation covers the returned value, for any score and day
  test('explains the returned score of each day, and its ingredients add up to it', async () => {
    let explained = 0;
    for (const date of datesFrom('2026-03-01', 10))
      for (const type of types) {
        const body = await explain(type, date);
        expect([body.state, body.up_to_date, body.current_value], `${type} ${date}`).toEqual([
          body.value === null ? 'none' : 'published',
          true,
          body.value,
        ]);
        if (body.value === null) continue;
        const contributions = body.ingredients.map((one: { contribution: number }) => one.contribution);
        const sum = contributions.reduce(
          (before: number, each: number) => before + each,
          body.recipe.neutral,
        );
        expect(Math.abs(sum - body.value), `${type} ${date}`).toBeLessThanOrEqual(0.05 + 1e-9);
        explained += 1;
      }
    expect(explained).toBe(8 + 8 + 8 + 5 + 5);
  });

  // @contract explain-score/fields: A missing score lists the inputs it lacks
  test('lists the missing inputs of a missing score', async () => {
    const body = await explain('nutrition_score', '2026-03-09');
    expect(body).toMatchObject({
      name: 'Nutrition',
      state: 'none',
      value: null,
      computed_at: null,
      current_value: null,
      up_to_date: true,
      why: 'Nutrition has no value: no food was logged.',
      recipe: { version: 2, neutral: 50, higher_is: 'better', band: null },
      confidence: null,
      factors: [],
      ingredients: [],
      baselines: [],
      figures: {},
      other: { weight: 60, sex: 'female' },
    });
    expect(body.missing).toContain('dietary_energy');
    expect((await explain('recovery_score', '2026-03-04')).why).toBe(
      'Recovery has no value: the previous 60 days have 2 of 3 required readings of resting heart rate.',
    );
  });

  // @contract explain-score/fields: A missing score lists the inputs it lacks
  test('explains a user without data and distant days', async () => {
    const user = await createPhoneUser(app);
    for (const date of ['1900-01-01', '2026-03-09', '2200-12-31'])
      for (const type of types) expect((await explain(type, date, user)).state).toBe('none');
  });

  // @contract explain-score/fields: Strain lists the minutes counted at each heart rate
  test('lists the minutes counted at each heart rate for strain', async () => {
    const user = await createPhoneUser(app, { profile: { sex: 'male', max_heart_rate: 180 } });
    const values = [...Array.from({ length: 600 }, () => 60), ...Array.from({ length: 60 }, () => 132)];
    await user.upload(
      { id: 'watch' },
      { series: [{ metric: 'heart_rate', start: '2026-03-08T08:00:00Z', interval_seconds: 60, values }] },
    );
    await workThrough(app);
    await scoreThrough(app);
    const body = await explain('strain_score', '2026-03-08', user);
    // 60 % of the reserve for an hour: 60 × 0.64 × 0.6 × e^(1.92 × 0.6) = 72.9.
    expect(body.figures).toEqual({ training_load: 72.9 });
    expect(body.value).toBe(47.1);
    expect(body.other).toEqual({
      resting_heart_rate: 60,
      max_heart_rate: 180,
      sex: 'male',
      weight: null,
      heart_rate_coverage_minutes: 660,
      workouts: 0,
      heart_rate_minutes: [
        [600, 60],
        [60, 132],
      ],
      zone_minutes: [],
      rated_sessions: [],
    });
    expect(body.why).toBe('Strain is 47.1 (light). Vigorous activity adds 47.1.');
  });

  // @contract explain-score/fields: The explanation of the energy reserve of an open day matches the value that was returned
  test('explains the energy reserve of an open day as it was returned', async () => {
    const user = await createScoredUser(app, ['2026-03-09', '2026-03-10']);
    const before = await explain('energy_reserve_score', '2026-03-10', user);
    // Awake since seven in Berlin, six in UTC.
    expect(before).toMatchObject({ state: 'published', up_to_date: true, other: { hours_awake: 6 } });
    const moved = nowMs + 3 * 3_600_000;
    await app.moveClock(moved - Date.now());
    try {
      expect(await explain('energy_reserve_score', '2026-03-10', user)).toEqual(before);
    } finally {
      await app.moveClock(nowMs - Date.now());
    }
  });

  // @contract explain-score/fields: A score that is computed but not yet returned is explained as `pending`
  test('explains a computed score before it is published', async () => {
    const user = await createScoredUser(app, ['2026-03-08', '2026-03-09']);
    const shown = await explain('strain_score', '2026-03-09', user);
    expect(shown).toMatchObject({ value: 29.3, state: 'published' });
    await user.upload(
      { id: 'watch' },
      { daily: [{ metric: 'active_calories', date: '2026-03-09', value: 720 }] },
    );
    await user.upload({ id: 'ring' }, { sleep: [nightOf('2026-03-10')] });
    await workThrough(app);
    expect(await explain('strain_score', '2026-03-09', user)).toMatchObject({
      value: 29.3,
      computed_at: shown.computed_at,
      factors: shown.factors,
      current_value: 49.4,
      state: 'pending',
      up_to_date: false,
      why: 'Strain is 29.3 (light). Active energy adds 29.3. Newer data for this date is waiting to be scored.',
      recipe: { band: 'light' },
    });
    expect(await explain('sleep_score', '2026-03-10', user)).toMatchObject({
      value: null,
      computed_at: null,
      factors: [],
      current_value: 84.5,
      state: 'pending',
      up_to_date: false,
      why: 'Sleep has no value yet. Data for this date is waiting to be scored.',
      recipe: { band: 'good' },
    });
  });

  // @contract explain-score/fields: A score of an earlier recipe is explained with that recipe
  test('explains a stored score of recipe 1 with recipe 1, until its day is computed again', async () => {
    const user = await createScoredUser(app, ['2026-03-08', '2026-03-09']);
    // As a node of the previous release stored it.
    const factors = [
      ['baseline', 750],
      ['duration', 82],
      ['continuity', -48],
      ['efficiency', 46],
      ['restorative_sleep', 33],
    ];
    await app.admin.query(
      `UPDATE score_days SET scores = jsonb_set(scores, '{sleep_score}', jsonb_build_array(863, $2::jsonb, (scores -> 'sleep_score' -> 2),
         (scores -> 'sleep_score' -> 3), 1)) WHERE user_id = $1 AND day = '2026-03-09'`,
      [user.uuid, JSON.stringify(factors)],
    );
    const explained = (await requestExplanation('type=sleep_score&date=2026-03-09', {}, user.id)).body;
    expect(explained).toMatchObject({
      state: 'published',
      value: 86.3,
      current_value: 86.3,
      up_to_date: true,
      confidence: 'normal',
      recipe: { version: 1 },
      missing: ['regularity', 'latency'],
    });
    expect(explained.ingredients).toHaveLength(4);
    const { body } = await app.request('GET', `/v1/users/${user.id}/scores`);
    const sleep = body.data.find((score: { type: string }) => score.type === 'sleep_score');
    expect(sleep).toMatchObject({ value: 86.3, recipe_version: 1, confidence: 'normal' });

    await user.upload(
      { id: 'watch' },
      { daily: [{ metric: 'resting_heart_rate', date: '2026-03-09', value: 60 }] },
    );
    await workThrough(app);
    await app.moveClock(nowMs + 3 * 3_600_000 - Date.now());
    try {
      await scoreThrough(app);
      expect(await explain('sleep_score', '2026-03-09', user)).toMatchObject({
        value: 84.5,
        up_to_date: true,
        recipe: { version: 2 },
      });
    } finally {
      await app.moveClock(nowMs - Date.now());
    }
  });

  // @contract explain-score/fields: Assumed components are marked, and a score from the time asleep only has low confidence
  test('marks what a sleep score assumes, and low confidence', async () => {
    const user = await createPhoneUser(app);
    const { minutes: _, ...night } = nightOf('2026-03-09');
    await user.upload({ id: 'phone' }, { sleep: [{ ...night, minutes: { asleep: 450 } }] });
    await workThrough(app);
    await scoreThrough(app);
    const body = await explain('sleep_score', '2026-03-09', user);
    const assumed = body.ingredients.filter((one: { assumed: boolean }) => one.assumed);
    expect(assumed.map((one: { name: string }) => one.name)).toEqual(body.missing);
    expect(body).toMatchObject({
      confidence: 'low',
      why: expect.stringContaining('Confidence is low, because only the time asleep is known.'),
    });
  });

  // @contract explain-score/fields: The maximum heart rate behind a strain is never lower than the prediction by age
  test('gives a ride the same strain with or without one higher minute two days earlier', async () => {
    const strains: number[] = [];
    for (const highest of [null, 161]) {
      const user = await createPhoneUser(app, { profile: { sex: 'male', birth_date: '1999-01-01' } });
      const minutes = (start: string, bpm: number[]) => ({
        metric: 'heart_rate',
        start,
        interval_seconds: 60,
        values: bpm,
      });
      const ride = minutes(
        '2026-03-08T08:00:00Z',
        Array.from({ length: 180 }, () => 137),
      );
      const rest = minutes(
        '2026-03-08T12:00:00Z',
        Array.from({ length: 500 }, () => 60),
      );
      const earlier = highest === null ? [] : [minutes('2026-03-06T08:00:00Z', [highest])];
      await user.upload({ id: 'watch' }, { series: [ride, rest, ...earlier] });
      await workThrough(app);
      await scoreThrough(app);
      const body = await explain('strain_score', '2026-03-08', user);
      expect(body.other.max_heart_rate).toBeCloseTo(208 - 0.7 * 27, 9);
      strains.push(body.value);
    }
    expect(strains[0]).toBe(strains[1]);
  });

  // @contract explain-score/fields: 304 for a matching tag
  test('returns 304 for a current tag', async () => {
    const first = await requestExplanation('type=sleep_score&date=2026-03-09');
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const etag = first.headers.get('etag')!;
    const again = await requestExplanation('type=sleep_score&date=2026-03-09', {
      headers: { 'if-none-match': etag },
    });
    expect([again.status, again.body]).toEqual([304, '']);
    const other = await requestExplanation('type=sleep_score&date=2026-03-08', {
      headers: { 'if-none-match': etag },
    });
    expect(other.status).toBe(200);
  });
});

// @contract explain-score/fields: Norms cover the previous 60 days
test('ignores readings older than 60 days', async () => {
  const first = new Date(Date.parse('2026-03-09') - 61 * dayMs).toISOString().slice(0, 10);
  const user = await createPhoneUser(app);
  const daily = [...datesFrom(first, 3), '2026-03-09'].map((date) => ({
    metric: 'resting_heart_rate',
    date,
    value: 55,
  }));
  await user.upload({ id: 'watch' }, { daily });
  await workThrough(app);
  await scoreThrough(app);
  const body = await explain('stress_score', '2026-03-09', user);
  expect(body.history[1].readings.map(({ date }: { date: string }) => date)).toEqual(
    datesFrom('2026-01-08', 2),
  );
  expect(body.state).toBe('none');
});

test.each([
  // @contract explain-score/fields: `type` is a score and `date` a day; both are required
  ['date=2026-03-09', 'type', 'is required'],
  // @contract explain-score/fields: `type` is a score and `date` a day; both are required
  ['type=sleep_score', 'date', 'is required'],
  ['type=&date=2026-03-09', 'type', 'must'],
  // @contract explain-score/fields: `type` is a score and `date` a day; both are required
  ['type=steps&date=2026-03-09', 'type', 'must be one of recovery_score, strain_score, sleep_score'],
  ['type=Sleep_Score&date=2026-03-09', 'type', 'must be one of'],
  ['type=sleep_score,strain_score&date=2026-03-09', 'type', 'must be one of'],
  ['type=sleep_score&type=strain_score&date=2026-03-09', 'type', 'must be a string'],
  // @contract explain-score/fields: `type` is a score and `date` a day; both are required
  ['type=sleep_score&date=2026-02-29', 'date', 'must be a calendar date, YYYY-MM-DD'],
  ['type=sleep_score&date=1899-12-31', 'date', 'between 1900 and 2200'],
  ['type=sleep_score&date=', 'date', 'must be a calendar date'],
  ['type=sleep_score&date=2026-03-09&metric=steps', 'metric', 'is not supported by this endpoint'],
])('returns 400 for %s and states the reason', async (query, name, problem) => {
  const { status, body } = await requestExplanation(query);
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect(body.details.fields).toEqual([{ in: 'query', name, problem: expect.stringContaining(problem) }]);
});
