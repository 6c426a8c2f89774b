import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliver } from '../../test/data/deliver.ts';
import { createSdkUser, type SdkUser } from '../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

/** 101 naps and 101 walks of half an hour each, on five days. */
const count = 101;
const startMs = Date.UTC(2026, 2, 1, 0, 10);
const stamp = (ms: number) => new Date(ms).toISOString();
const sessions = Array.from({ length: count }, (_, at) => ({
  id: `session-${at}`,
  start: stamp(startMs + at * 3_600_000),
  end: stamp(startMs + at * 3_600_000 + 1_800_000),
}));
const newestFirst = sessions.toReversed();
const clockOf = (text: string) => text.slice(0, 19);

let app: TestApp;
let user: SdkUser;
const lists = ['sleep', 'workouts'] as const;
const form1 = 'start_date=2026-03-01&end_date=2026-03-05';
const form2 = 'from_date=2026-03-01&to_date=2026-03-05';

beforeAll(async () => {
  app = await startTestApp();
  user = await createSdkUser(app);
  await deliver(app, user, {
    sleep: sessions,
    workouts: sessions.map((session) => ({ ...session, sport_type: 'walking' })),
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (list: string, query: string) => app.request('GET', `/v1/users/${user.id}/${list}?${query}`);
const clocksOf = (data: { start_time: string }[]) => data.map(({ start_time }) => start_time);
const startsOf = (data: { start: string }[]) => data.map(({ start }) => start);

describe.each(lists)('Form 2 pages of %s', (list) => {
  // @contract daily-2/rules [sleep]: 7. A cursor with unchanged parameters continues until it is null: sleep
  // @contract daily-2/rules [workouts]: 7. A cursor with unchanged parameters continues until it is null: workouts
  // @contract sleep/pages [sleep]: Form 2: newest first, 50 by default
  // @contract workouts/pages [workouts]: Form 2: newest first, 50 by default
  test('have 50 sessions by default, newest first, and continue until the next cursor is null', async () => {
    const first = (await get(list, form2)).body;
    expect(Object.keys(first)).toEqual(['from_date', 'to_date', 'data', 'next_cursor']);
    expect([first.from_date, first.to_date]).toEqual(['2026-03-01', '2026-03-05']);
    const second = (await get(list, `${form2}&cursor=${first.next_cursor}`)).body;
    const third = (await get(list, `${form2}&cursor=${second.next_cursor}`)).body;
    expect([first, second, third].map(({ data }) => data.length)).toEqual([50, 50, 1]);
    expect([first, second, third].map(({ next_cursor }) => typeof next_cursor)).toEqual([
      'string',
      'string',
      'object',
    ]);
    expect(third.next_cursor).toBeNull();
    expect([first, second, third].flatMap(({ data }) => clocksOf(data))).toEqual(
      newestFirst.map(({ start }) => clockOf(start)),
    );
  });

  // @contract sleep/pages [sleep]: Form 2: `limit` from 1 to 100
  // @contract workouts/pages [workouts]: Form 2: `limit` from 1 to 100
  test('have 1 to 100 sessions on request', async () => {
    const one = (await get(list, `${form2}&limit=1`)).body;
    expect(clocksOf(one.data)).toEqual([clockOf(newestFirst[0]!.start)]);
    const most = (await get(list, `${form2}&limit=100`)).body;
    expect(most.data).toHaveLength(100);
    const rest = (await get(list, `${form2}&limit=100&cursor=${most.next_cursor}`)).body;
    expect(rest.data).toHaveLength(1);
  });

  test.each([
    // @contract sleep/invalid [sleep]: Form 2: `limit` below 0
    // @contract workouts/invalid [workouts]: Form 2: `limit` below 0
    'limit=-1',
    // @contract sleep/invalid [sleep]: Form 2: `limit` that is not an integer
    // @contract workouts/invalid [workouts]: Form 2: `limit` that is not an integer
    'limit=1.5',
    // @contract sleep/invalid [sleep]: Form 2: `limit` empty
    // @contract workouts/invalid [workouts]: Form 2: `limit` empty
    'limit=',
    // @contract sleep/invalid [sleep]: Form 2: `limit` repeated
    // @contract workouts/invalid [workouts]: Form 2: `limit` repeated
    'limit=1&limit=2',
  ])('reject %s with 400', async (query) => {
    const { status, body } = await get(list, `${form2}&${query}`);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details.fields).toMatchObject([{ in: 'query', name: 'limit' }]);
  });

  // @contract sleep/pages [sleep]: Form 2: a cursor that is too long is 400
  // @contract workouts/pages [workouts]: Form 2: a cursor that is too long is 400
  test('reject a cursor that is too long with 400', async () => {
    const { status, body } = await get(list, `${form2}&cursor=${'x'.repeat(3000)}`);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details.fields).toMatchObject([{ in: 'query', name: 'cursor' }]);
  });

  // @contract all/formats [sleep]: A profile without a time zone uses UTC: clock times of sleep
  // @contract all/formats [workouts]: A profile without a time zone uses UTC: clock times of workouts
  test('have clock times in UTC for a user without a time zone', async () => {
    const { body } = await get(list, `${form2}&limit=1`);
    expect(body.data[0].start_time).toBe('2026-03-05T04:10:00');
    if (list === 'sleep') expect(body.data[0].end_time).toBe('2026-03-05T04:40:00');
  });
});

describe.each(lists)('days of %s', (list) => {
  test.each([
    // @contract sleep/pages [sleep]: Form 1: at most 366 days
    // @contract workouts/pages [workouts]: Form 1: at most 366 days
    [
      'Form 1',
      'start_date=2025-03-05&end_date=2026-03-05',
      'start_date=2025-03-04&end_date=2026-03-05',
      'end_date',
    ],
    // @contract sleep/pages [sleep]: Form 2: at most 366 days
    // @contract workouts/pages [workouts]: Form 2: at most 366 days
    [
      'Form 2',
      'from_date=2025-03-05&to_date=2026-03-05',
      'from_date=2025-03-04&to_date=2026-03-05',
      'to_date',
    ],
  ])('are limited to 366 in %s', async (_form, longest, longer, name) => {
    const { status, body } = await get(list, longest);
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThan(0);
    expect(await get(list, longer)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: { fields: [{ in: 'query', name }] } },
    });
  });

  // @contract all/forms [sleep]: The header `API-Form` selects the form of sleep
  // @contract all/forms [workouts]: The header `API-Form` selects the form of workouts
  test('use the form that the header selects and reject a third one', async () => {
    const path = `/v1/users/${user.id}/${list}`;
    const getInForm = (form: string, query: string) =>
      app.request('GET', `${path}?${query}`, { headers: { 'api-form': form } });
    expect((await getInForm('1', form1)).headers.get('api-form')).toBe('1');
    expect((await getInForm('2', form2)).headers.get('api-form')).toBe('2');
    expect((await getInForm('1', form2)).body.error).toBe('mixed_forms');
    expect((await getInForm('3', form2)).body.details).toEqual({
      fields: [{ in: 'header', name: 'API-Form', problem: 'must be 1 or 2' }],
      request_id: expect.any(String),
    });
  });
});

// @contract all/formats: Timestamps in Form 1 and in timeseries are ISO 8601 in UTC and end in `Z`
// @contract sleep/pages: Form 1: all sessions of the range, newest first
test('returns sleep in Form 1 completely, newest first, with UTC timestamps', async () => {
  const { body } = await get('sleep', form1);
  expect(Object.keys(body)).toEqual(['data']);
  expect(startsOf(body.data)).toEqual(newestFirst.map(({ start }) => start));
});

describe('Form 1 pages of workouts', () => {
  // @contract workouts/pages: Form 1: `meta` has `page`, `per_page`, `total`; pages have 20 items by default and are numbered from 1
  test('have 20 workouts by default, newest first, and are numbered from 1', async () => {
    const { body } = await get('workouts', form1);
    expect(body.meta).toStrictEqual({ page: 1, per_page: 20, total: count });
    expect(startsOf(body.data)).toEqual(newestFirst.slice(0, 20).map(({ start }) => start));
    const last = (await get('workouts', `${form1}&page=6`)).body;
    expect(last.meta).toStrictEqual({ page: 6, per_page: 20, total: count });
    expect(startsOf(last.data)).toEqual([sessions[0]!.start]);
    expect((await get('workouts', `${form1}&page=7`)).body.data).toEqual([]);
  });

  // @contract workouts/pages: Form 1: `per_page` up to 100
  test('have up to 100 workouts on request', async () => {
    const { body } = await get('workouts', `${form1}&per_page=100`);
    expect(body.meta).toStrictEqual({ page: 1, per_page: 100, total: count });
    expect(body.data).toHaveLength(100);
    expect((await get('workouts', `${form1}&per_page=1`)).body.data).toHaveLength(1);
  });

  test.each([
    // @contract workouts/invalid: Form 1: `page` below 0
    'page=-1',
    // @contract workouts/invalid: Form 1: `page` empty
    'page=',
    // @contract workouts/invalid: Form 1: `page` that is not a number
    'page=one',
    // @contract workouts/invalid: Form 1: `per_page` below 0
    'per_page=-5',
    // @contract workouts/invalid: Form 1: `per_page` empty
    'per_page=',
    // @contract workouts/invalid: Form 1: `page` repeated
    'page=1&page=2',
  ])('reject %s with 400', async (query) => {
    const { status, body } = await get('workouts', `${form1}&${query}`);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details.fields).toHaveLength(1);
    expect(body.details.fields[0]).toMatchObject({ in: 'query', name: query.split('=')[0] });
  });
});

// @contract sleep/fields: The day of a night is in the user's time zone
// @contract workouts/fields: A workout belongs to the day on which it starts in the user's time zone
test('assigns a session around midnight to the user’s day, not the UTC day', async () => {
  const traveler = await createSdkUser(app, { timezone: 'Asia/Tokyo' });
  // 8:30 to 9:30 in the morning of the 2nd in Tokyo, around midnight in UTC.
  const times = { start: '2026-03-01T23:30:00Z', end: '2026-03-02T00:30:00Z' };
  await deliver(app, traveler, {
    sleep: [{ id: 's', ...times }],
    workouts: [{ id: 'w', sport_type: 'walking', ...times }],
  });
  for (const list of lists) {
    const on = async (date: string) =>
      (await app.request('GET', `/v1/users/${traveler.id}/${list}?from_date=${date}&to_date=${date}`)).body
        .data;
    expect(await on('2026-03-01')).toEqual([]);
    expect(await on('2026-03-02')).toMatchObject([{ start_time: '2026-03-02T08:30:00' }]);
  }
});
