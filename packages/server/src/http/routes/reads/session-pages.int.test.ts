import { dayOf, dayStartMs, formatDay } from '@tributary/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliver } from '../../../test/data/deliver.ts';
import { createSdkUser, type SdkUser } from '../../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';

const hourMs = 3_600_000;
const lists = ['sleep', 'workouts'] as const;
type List = (typeof lists)[number];

let app: TestApp;
let user: SdkUser;

/** A short session that starts at a given time; workouts also have a sport. */
function sessionAt(ms: number, id = `at-${ms}`) {
  const times = { start: new Date(ms).toISOString(), end: new Date(ms + 5 * 60_000).toISOString() };
  return { id, ...times };
}

/** A batch of sessions for either list, at these times. */
function at(list: List, ...instants: number[]): object {
  const sessions = instants.map((ms) => sessionAt(ms));
  if (list === 'sleep') return { sleep: sessions };
  return { workouts: sessions.map((session) => ({ ...session, sport_type: 'running' })) };
}

/** An existing session, reported again. */
function anew(list: List, ms: number, minutes: number): object {
  if (list === 'sleep') return { sleep: [{ ...sessionAt(ms), minutes: { asleep: minutes / 4 } }] };
  return { workouts: [{ ...sessionAt(ms), sport_type: 'running', values: { duration: minutes } }] };
}

const firstMs = Date.UTC(2026, 1, 1, 6);
/** Seven sessions on seven days, at seven in the morning. */
const instants = Array.from({ length: 7 }, (_, day) => firstMs + day * 24 * hourMs);
const days = 'from_date=2026-02-01&to_date=2026-02-07';

function read(list: List, query: string, of = user, options: Parameters<TestApp['request']>[2] = {}) {
  return app.request('GET', `/v1/users/${of.id}/${list}?${query}`, options);
}
const startsOf = (body: { data: { start_time: string }[] }) => body.data.map(({ start_time }) => start_time);

beforeAll(async () => {
  app = await startTestApp();
  user = await createSdkUser(app, { timezone: 'Europe/Berlin' });
  for (const list of lists) await deliver(app, user, at(list, ...instants));
});
afterAll(() => app[Symbol.asyncDispose]());

describe.each(lists)('pages of %s', (list) => {
  // @contract sleep/pages [sleep]: Form 2: `next_cursor` is passed as `cursor`, with the other parameters unchanged or omitted
  // @contract workouts/pages [workouts]: Form 2: `next_cursor` is passed as `cursor`, with the other parameters unchanged or omitted
  test('continue newest first with only the cursor', async () => {
    const first = await read(list, `${days}&limit=3`);
    expect(first.body).toMatchObject({ from_date: '2026-02-01', to_date: '2026-02-07' });
    const second = await read(list, `cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ from_date: '2026-02-01', to_date: '2026-02-07' });
    const third = await read(list, `cursor=${second.body.next_cursor}`);
    const pages = [first, second, third].map(({ body }) => startsOf(body));
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    const expected = instants.map((_, day) => `2026-02-0${day + 1}T07:00:00`).toReversed();
    expect(pages.flat()).toEqual(expected);
    expect(third.body.next_cursor).toBeNull();
    const again = await read(list, `${days}&limit=3&cursor=${first.body.next_cursor}`);
    expect(again.body).toStrictEqual(second.body);
  });

  // @contract sleep/pages [sleep]: Form 2: `next_cursor` is null only at the end
  // @contract workouts/pages [workouts]: Form 2: `next_cursor` is null only at the end
  test('end exactly at the end of the list', async () => {
    expect((await read(list, `${days}&limit=7`)).body.next_cursor).toBeNull();
    const { body } = await read(list, `${days}&limit=6`);
    expect((await read(list, `cursor=${body.next_cursor}`)).body.data).toHaveLength(1);
    expect((await read(list, 'from_date=2026-02-03&to_date=2026-02-05&limit=3')).body.next_cursor).toBeNull();
  });

  // @contract sleep/pages [sleep]: Form 2: `include_sources` applies to all pages, as `source_detail` _(addition)_
  // @contract workouts/pages [workouts]: Form 2: `include_sources` applies to all pages, as `source_detail` _(addition)_
  test('keep sources when the first page had them', async () => {
    const first = await read(list, `${days}&limit=2&include_sources=true`);
    const second = await read(list, `cursor=${first.body.next_cursor}`);
    expect(second.body.data).toMatchObject([{ source_detail: {} }, { source_detail: {} }]);
    const plain = await read(list, `${days}&limit=2`);
    expect((await read(list, `cursor=${plain.body.next_cursor}`)).body.data[0]).not.toHaveProperty(
      'source_detail',
    );
  });

  // @contract all/caching: Each page of a list has its own tag
  test('have their own tags, which stay valid until something changes', async () => {
    const first = await read(list, `${days}&limit=2`);
    const query = `cursor=${first.body.next_cursor}`;
    const headers = { 'if-none-match': (await read(list, query)).headers.get('etag')! };
    expect((await read(list, query, user, { headers })).status).toBe(304);
  });

  // @contract sleep/pages [sleep]: Form 2: a cursor with other parameters is 400 `invalid_cursor`
  // @contract workouts/pages [workouts]: Form 2: a cursor with other parameters is 400 `invalid_cursor`
  test('reject a cursor with other parameters: 400', async () => {
    const { next_cursor: cursor } = (await read(list, `${days}&limit=3`)).body;
    for (const other of [
      'from_date=2026-02-02',
      'to_date=2026-02-06',
      'limit=4',
      'include_sources=true',
      'from_date=2026-01-01&to_date=2026-02-07&limit=3',
    ])
      expect(await read(list, `cursor=${cursor}&${other}`), other).toMatchObject({
        status: 400,
        body: { error: 'invalid_cursor', details: {} },
      });
  });

  // @contract sleep/pages [sleep]: Form 2: a cursor that was edited, or belongs to another list, user or key, is 400 `invalid_cursor`
  // @contract workouts/pages [workouts]: Form 2: a cursor that was edited, or belongs to another list, user or key, is 400 `invalid_cursor`
  test('reject a cursor that was edited or belongs elsewhere: 400', async () => {
    const cursor: string = (await read(list, `${days}&limit=3`)).body.next_cursor;
    const other = await createSdkUser(app, { timezone: 'Europe/Berlin' });
    const otherList = list === 'sleep' ? 'workouts' : 'sleep';
    const edited = [0, 10, 21, 30, cursor.length - 2].map(
      (place) => cursor.slice(0, place) + (cursor[place] === 'A' ? 'B' : 'A') + cursor.slice(place + 1),
    );
    const users = await app.request('GET', '/v1/users?limit=1');
    const bad = [...edited, cursor.slice(0, -1), `${cursor}A`, 'x', '%00', users.body.next_cursor];
    const responses = await Promise.all(bad.map((text) => read(list, `cursor=${text}`)));
    responses.push(
      await read(list, `cursor=${cursor}`, other),
      await read(otherList, `cursor=${cursor}`),
      await read(list, `cursor=${cursor}`, user, { key: app.account.sandboxKey }),
      await read(list, `cursor=${cursor}`, user, {
        headers: { 'if-none-match': '*' },
        key: app.account.sandboxKey,
      }),
    );
    for (const { status, body } of responses) {
      expect(status).toBe(400);
      expect(body.error).toBe('invalid_cursor');
    }
  });

  // @contract sleep/pages [sleep]: Form 2: an empty cursor is the start
  // @contract workouts/pages [workouts]: Form 2: an empty cursor is the start
  test('start from the beginning with an empty cursor', async () => {
    const { status, body, headers } = await read(list, 'cursor=');
    expect([status, headers.get('api-form')]).toEqual([200, '2']);
    expect(body).toEqual((await read(list, '')).body);
  });
});

describe.each(lists)('%s without dates', (list) => {
  afterAll(() => app.moveClock(0));

  test.each([
    // @contract sleep/pages [sleep]: Form 2: the range defaults to the 30 days up to today in the user's time zone
    // @contract workouts/pages [workouts]: Form 2: the range defaults to the 30 days up to today in the user's time zone
    ['Pacific/Kiritimati', 1],
    ['Pacific/Auckland', 1],
    ['America/Los_Angeles', 0],
    // @contract sleep/pages [sleep]: Form 2: the range defaults to the 30 days up to today in the user's time zone
    // @contract workouts/pages [workouts]: Form 2: the range defaults to the 30 days up to today in the user's time zone
    ['Etc/GMT+12', -1],
  ])(
    'covers the thirty days up to today in %s, whatever is reported for later days',
    async (timezone, shift) => {
      // 23:30 in Greenwich, when it may be three different days; in Auckland that takes an hour more.
      const clock = timezone === 'Pacific/Auckland' ? 12.5 : 11.5;
      const now = Date.now() - (Date.now() % (24 * hourMs)) + clock * hourMs;
      await app.moveClock(now - Date.now());
      const today = dayOf(now, timezone);
      expect(today).toBe(dayOf(now, 'UTC') + shift);
      const of = await createSdkUser(app, { timezone });
      const on = (day: number) => [0, 1, 2].map((at) => dayStartMs(day, timezone) + at * 10 * 60_000);
      await deliver(app, of, at(list, ...[today - 30, today - 29, today, today + 1].flatMap(on)));
      const first = await read(list, 'limit=2', of);
      expect(first.body).toMatchObject({ from_date: formatDay(today - 29), to_date: formatDay(today) });
      const second = await read(list, `cursor=${first.body.next_cursor}`, of);
      const third = await read(list, `cursor=${second.body.next_cursor}`, of);
      const seen = [first, second, third].flatMap(({ body }) => startsOf(body));
      const clocks = ['00:20', '00:10', '00:00'];
      expect(seen).toEqual(
        [today, today - 29].flatMap((day) => clocks.map((time) => `${formatDay(day)}T${time}:00`)),
      );
      expect(third.body.next_cursor).toBeNull();
      const whole = await read(list, '', of);
      expect(startsOf(whole.body)).toEqual(seen);
      expect(startsOf((await read(list, `from_date=${formatDay(today)}`, of)).body)).toHaveLength(3);
    },
  );

  // @contract all/caching [sleep]: Sleep up to today: the response changes when the day does
  // @contract sleep/pages [sleep]: Form 2: all pages keep the range of the first page
  // @contract workouts/pages [workouts]: Form 2: all pages keep the range of the first page
  test('keeps the range of the first page when the day changes', async () => {
    const now = Date.now();
    await app.moveClock(0);
    const of = await createSdkUser(app);
    await deliver(app, of, at(list, now - hourMs, now - 2 * hourMs, now - 3 * hourMs));
    const first = await read(list, 'limit=2', of);
    const headers = { 'if-none-match': (await read(list, '', of)).headers.get('etag')! };
    await app.moveClock(25 * hourMs);
    const second = await read(list, `cursor=${first.body.next_cursor}`, of);
    expect(second.body).toMatchObject({ from_date: first.body.from_date, to_date: first.body.to_date });
    expect(second.body.data).toHaveLength(1);
    // Nothing was uploaded, but today changed, so the client's tag is no longer current.
    const tomorrow = await read(list, '', of, { headers });
    expect(tomorrow.status).toBe(200);
    expect(tomorrow.body.to_date > first.body.to_date).toBe(true);
  });
});

describe.each(lists)('pages of %s during writes', (list) => {
  // @contract sleep/pages [sleep]: Form 2: paging during concurrent writes neither misses nor repeats items that existed throughout
  // @contract workouts/pages [workouts]: Form 2: paging during concurrent writes neither misses nor repeats items that existed throughout
  test('neither miss nor repeat a session that existed throughout', async () => {
    const of = await createSdkUser(app);
    // Five hours apart, several of them on one day.
    const there = Array.from({ length: 40 }, (_, place) => firstMs + place * 5 * hourMs);
    await deliver(app, of, at(list, ...there));
    const range = 'from_date=2026-01-01&to_date=2026-03-01';
    const idOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
    const lasting = idOf((await read(list, `${range}&limit=100`, of)).body);
    expect(lasting).toHaveLength(40);
    let written = 0;
    for (const limit of [1 + Math.floor(Math.random() * 3), 4, 5 + Math.floor(Math.random() * 20)]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const query: string = cursor ? `cursor=${cursor}` : `${range}&limit=${limit}`;
        const { body, status } = await read(list, query, of);
        expect(status).toBe(200);
        expect(body.data.length).toBeLessThanOrEqual(limit);
        seen.push(...idOf(body));
        cursor = body.next_cursor;
        if (written >= 12) continue;
        // Sessions between existing ones: newer than the reader's position, older, and next to it.
        written += 1;
        const place = there[Math.max(0, there.length - seen.length)] ?? there.at(-1)!;
        const between = [there.at(-1)!, there[0]!, place, place - 5 * hourMs];
        const news = at(
          list,
          ...between.map((ms, nth) => ms + (written * 4 + nth) * 4 * 60_000 + hourMs / 2),
        );
        await deliver(app, of, news, anew(list, there[written]!, written));
      } while (cursor);
      expect(new Set(seen).size).toBe(seen.length);
      expect(lasting.filter((id) => !seen.includes(id))).toEqual([]);
    }
    expect(written).toBe(12);
  });
});
