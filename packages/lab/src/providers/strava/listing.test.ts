import { expect, test } from 'vitest';
import type { Json } from '../../test/connect-person.ts';
import { connect, startStrava, type Athlete } from './test-client.ts';

const list = async ({ get }: Athlete, query: string): Promise<Json[]> => {
  const { status, body } = await get(`/athlete/activities?${query}`);
  expect(status, query).toBe(200);
  return body;
};
const idsOf = (activities: Json[]): number[] => activities.map(({ id }) => id);
const startsOf = (activities: Json[]): number[] =>
  activities.map(({ start_date: start }) => Date.parse(start));
const seconds = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;

test('returns each activity once, newest first, and ends with an empty page', async () => {
  await using lab = await startStrava();
  const ada = await connect(lab, 'ada');
  const since = seconds('2025-06-01');
  const all = await list(ada, 'per_page=200');
  expect(all).toHaveLength(200);
  expect(startsOf(all)).toEqual(startsOf(all).toSorted((one, other) => other - one));
  expect(await list(ada, '')).toEqual(all.slice(0, 30));

  const paged: Json[] = [];
  for (let page = 1, size = 1; size > 0; page += 1) {
    const some = await list(ada, `after=${since}&per_page=17&page=${page}`);
    size = some.length;
    paged.push(...some);
  }
  const starts = startsOf(paged);
  expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  expect(new Set(idsOf(paged)).size).toBe(paged.length);
  const expected = all.filter(({ start_date: start }) => Date.parse(start) > since * 1000);
  expect(idsOf(paged).toReversed().slice(0, expected.length)).toEqual(idsOf(expected));
  expect(paged.length).toBeGreaterThanOrEqual(expected.length);
});

test('excludes the second given in after and before', async () => {
  await using lab = await startStrava();
  const ada = await connect(lab, 'ada');
  const [, first, second, third] = await list(ada, 'per_page=4');
  const at = ({ start_date: start }: Json): number => Date.parse(start) / 1000;
  expect(idsOf(await list(ada, `after=${at(third)}&before=${at(first)}`))).toEqual([second.id]);
  expect(idsOf(await list(ada, `before=${at(first)}&per_page=1`))).toEqual([second.id]);
});

test('lists an activity minutes after its end, and not earlier', async () => {
  await using lab = await startStrava();
  const { end } = ['2026-04-21', '2026-04-22', '2026-04-23', '2026-04-24', '2026-04-25']
    .flatMap((date) => lab.truth('ada', date).workouts)
    .at(0)!;
  const count = async () => (await list(await connect(lab, 'ada'), `after=${seconds('2026-04-20')}`)).length;
  await lab.clock.moveTo(end);
  const before = await count();
  await lab.clock.advance(20 * 60_000);
  expect(await count()).toBe(before + 1);
});

test('rejects invalid requests', async () => {
  await using lab = await startStrava();
  const ada = await connect(lab, 'ada');
  for (const [query, field] of [
    ['per_page=201', 'per_page'],
    ['per_page=0', 'per_page'],
    ['page=0', 'page'],
    ['after=2026-04-01', 'after'],
    ['before=1&before=2', 'before'],
  ]) {
    const { status, body } = await ada.get(`/athlete/activities?${query}`);
    expect([status, body.errors], query).toEqual([
      400,
      [{ resource: 'Application', field, code: 'invalid' }],
    ]);
  }
  const [{ id }] = await list(ada, 'per_page=1');
  expect((await ada.get(`/activities/${id}/streams?keys=mood`)).status).toBe(400);
  expect((await ada.get('/activities/none')).status).toBe(404);
});

test('returns private activities only with activity:read_all, and never those of others', async () => {
  await using lab = await startStrava();
  const all = await connect(lab, 'ada');
  const whole = await list(all, 'per_page=200');
  const { id: open } = whole.find((one) => !one.private);
  const { id: closed } = whole.find((one) => one.private);
  const ben = await connect(lab, 'ben');
  expect((await ben.get(`/activities/${open}`)).body).toEqual({
    message: 'Record Not Found',
    errors: [{ resource: 'Activity', field: 'id', code: 'not found' }],
  });
  const some = await connect(lab, 'ada', ['read', 'activity:read']);
  const listed = idsOf(await list(some, 'per_page=200'));
  expect(listed).toEqual(expect.arrayContaining([open]));
  expect(listed).not.toContain(closed);
  for (const path of ['', '/zones', '/streams?keys=time'])
    expect((await some.get(`/activities/${closed}${path}`)).status, path).toBe(404);
  const none = await connect(lab, 'ada', ['read']);
  for (const path of ['/athlete/activities', `/activities/${open}`])
    expect(await none.get(path)).toMatchObject({
      status: 401,
      body: { errors: [{ resource: 'AccessToken', field: 'activity:read_permission', code: 'missing' }] },
    });
  expect((await none.get('/athlete')).status).toBe(200);
});

test('allows a hundred reads per quarter-hour and a thousand per UTC day', async () => {
  await using lab = await startStrava({ startAt: Date.parse('2026-04-20T00:10:00Z') });
  const ada = await connect(lab, 'ada');
  const read = async () => {
    const { status, headers } = await ada.get('/athlete');
    const names = [
      'x-ratelimit-limit',
      'x-ratelimit-usage',
      'x-readratelimit-limit',
      'x-readratelimit-usage',
    ];
    return [status, ...names.map((name) => headers.get(name))];
  };
  expect(await read()).toEqual([200, '200,2000', '1,1', '100,1000', '1,1']);
  for (let calls = 2; calls < 100; calls += 1) await read();
  expect(await read()).toEqual([200, '200,2000', '100,100', '100,1000', '100,100']);
  expect((await ada.get('/athlete')).body).toEqual({
    message: 'Rate Limit Exceeded',
    errors: [{ resource: 'Application', field: 'read rate limit', code: 'exceeded' }],
  });
  await lab.clock.advance(5 * 60_000 - 1);
  expect((await read())[0]).toBe(429);
  await lab.clock.advance(1);
  expect(await read()).toEqual([200, '200,2000', '1,101', '100,1000', '1,101']);
  for (let calls = 102; calls <= 1000; calls += 1) {
    if (calls % 99 === 0) await lab.clock.advance(900_000);
    expect((await read())[0], String(calls)).toBe(200);
  }
  await lab.clock.advance(900_000);
  expect(await read()).toEqual([429, '200,2000', '0,1000', '100,1000', '0,1000']);
  expect(lab.counts('strava').exceeded).toEqual({ '100/900s/app': 2, '1000/86400s/app': 1 });
});

test('exhausts the reads while the limited fault is on', async () => {
  await using lab = await startStrava({ faults: [{ kind: 'limited', rate: 1 }] });
  const { status, headers } = await (await connect(lab, 'ada')).get('/athlete');
  expect([status, headers.get('x-readratelimit-usage')]).toEqual([429, '100,0']);
});
