import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import type { Connection, Json } from '../../test/connect-person.ts';
import { googleHealth } from './index.ts';
import { connectAll, pointsPath, readAll, sendJson } from './test-client.ts';

const startAt = Date.parse('2026-04-20T12:00:00Z');
const reason = 'INVALID_DATA_POINT_FILTER_DATA_TYPE_MEMBER';
let lab: Lab;
let ada: Connection;

beforeAll(async () => {
  lab = await startLab({ providers: [googleHealth], startAt });
  ada = await connectAll(lab, 'ada');
});
afterAll(() => lab[Symbol.asyncDispose]());

test('returns pages of 1440 points, newest first, each point once', async () => {
  const member = 'heart_rate.sample_time.physical_time';
  const filter = `${member} >= "2026-04-01T00:00:00Z" AND ${member} < "2026-04-13T00:00:00Z"`;
  const { points, pages } = await readAll(ada, 'heart-rate', { filter });
  expect(pages).toEqual([1440, 1440, 576]);
  const times = points.map(({ heartRate }) => Date.parse(heartRate.sampleTime.physicalTime));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(new Set(times).size).toBe(12 * 288);
  expect([times.at(-1), times[0]]).toEqual([
    Date.parse('2026-04-01T00:00:00Z'),
    Date.parse('2026-04-12T23:55:00Z'),
  ]);
  const most = await readAll(ada, 'heart-rate', { filter, pageSize: '20000' });
  expect(most.pages).toEqual([12 * 288]);
  // Two sources have a point at the same time, and a page may end between them.
  const steps = 'steps.interval.start_time';
  const two = `${steps} >= "2026-04-10T00:00:00Z" AND ${steps} < "2026-04-12T00:00:00Z"`;
  const one = await readAll(ada, 'steps', { filter: two });
  expect((await readAll(ada, 'steps', { filter: two, pageSize: '3' })).points).toEqual(one.points);
});

test('returns sleeps and exercises 25 at a time, regardless of the page size', async () => {
  const filter = 'sleep.interval.end_time >= "2026-02-01T00:00:00Z"';
  const { points, pages } = await readAll(ada, 'sleep', { filter, pageSize: '1000' });
  expect(pages[0]).toBe(25);
  expect(new Set(points.map(({ name }) => name)).size).toBe(points.length);
  const dates = Array.from({ length: 79 }, (_, back) =>
    new Date(startAt - back * 86_400_000).toISOString().slice(0, 10),
  );
  const sleeps = dates.flatMap((date) => lab.truth('ada', date).sleeps).filter(({ end }) => end < startAt);
  expect(points.map(({ sleep }) => Date.parse(sleep.interval.endTime)).toSorted()).toEqual(
    sleeps.map(({ end }) => end).toSorted(),
  );
});

test('may return an empty page that has a next page', async () => {
  const { points, pages } = await readAll(ada, 'blood-glucose', {});
  expect(points).toEqual([]);
  expect(pages.length).toBeGreaterThan(10);
  const { body } = await ada.get(pointsPath('blood-glucose'));
  expect(body).toEqual({ nextPageToken: expect.any(String) });
});

test.each([
  ['sleep', 'sleep.interval.start_time >= "2026-04-01T00:00:00Z"', reason],
  ['sleep', 'sleep.interval.civil_start_time >= "2026-04-01"', reason],
  ['exercise', 'exercise.interval.end_time >= "2026-04-01T00:00:00Z"', reason],
  ['heart-rate', 'heart_rate.interval.start_time >= "2026-04-01T00:00:00Z"', reason],
  ['daily-resting-heart-rate', 'dailyRestingHeartRate.date >= "2026-04-01"', reason],
  ['steps', 'steps.interval.start_time > "2026-04-01T00:00:00Z"', undefined],
  ['steps', 'steps.interval.start_time >= "2026-04-01"', undefined],
  ['daily-resting-heart-rate', 'daily_resting_heart_rate.date >= "yesterday"', undefined],
])('%s cannot be filtered by %s', async (type, filter, why) => {
  const { status, body } = await ada.get(pointsPath(type, { filter }));
  expect([status, body.error.status, body.error.details?.[0].reason]).toEqual([400, 'INVALID_ARGUMENT', why]);
});

test('rejects invalid requests', async () => {
  const status = async (path: string): Promise<number> => (await ada.get(path)).status;
  expect(await status(pointsPath('total-calories'))).toBe(400);
  expect(await status(pointsPath('stress'))).toBe(400);
  expect(await status(pointsPath('steps', { pageSize: '-1' }))).toBe(400);
  expect(await status(pointsPath('steps', { dataSourceFamily: 'all-sources' }, ':reconcile'))).toBe(400);
  const { nextPageToken: pageToken } = (await ada.get(pointsPath('steps', { pageSize: '1' }))).body;
  expect(await status(pointsPath('steps', { pageToken, pageSize: '9' }))).toBe(200);
  expect(await status(pointsPath('floors', { pageToken }))).toBe(400);
  expect(await status(pointsPath('steps', {}, '/some-id'))).toBe(400);
  const { points } = await readAll(ada, 'sleep', {
    filter: 'sleep.interval.end_time >= "2026-04-18T00:00:00Z"',
  });
  const ben = await connectAll(lab, 'ben');
  const id = points[0].name.split('/').at(-1);
  expect((await ada.get(pointsPath('sleep', {}, `/${id}`))).status).toBe(200);
  expect((await ben.get(pointsPath('sleep', {}, `/${id}`))).status).toBe(404);
});

test('limits a rollup range to 14 days for some types and 90 for others', async () => {
  const roll = async (type: string, from: object, to: object): Promise<Json> => {
    const url = `${lab.url}${pointsPath(type, {}, ':dailyRollUp')}`;
    const range = { start: { date: from }, end: { date: to } };
    return sendJson('POST', url, ada.accessToken, { range, windowSizeDays: 7 });
  };
  const from = { year: 2026, month: 1, day: 1 };
  expect(
    (await roll('heart-rate', from, { year: 2026, month: 1, day: 15 })).body.rollupDataPoints,
  ).toHaveLength(2);
  expect((await roll('heart-rate', from, { year: 2026, month: 1, day: 16 })).status).toBe(400);
  expect((await roll('total-calories', from, { year: 2026, month: 1, day: 16 })).status).toBe(400);
  expect((await roll('steps', from, { year: 2026, month: 4, day: 1 })).body.rollupDataPoints).toHaveLength(
    13,
  );
  expect((await roll('steps', from, { year: 2026, month: 4, day: 2 })).status).toBe(400);
  expect((await roll('sleep', from, { year: 2026, month: 1, day: 2 })).status).toBe(400);
  expect((await roll('steps', from, from)).status).toBe(400);
  const url = `${lab.url}${pointsPath('steps', {}, ':rollUp')}`;
  const range = { startTime: '2026-04-01T00:00:00Z', endTime: '2026-04-02T00:00:00Z' };
  expect((await sendJson('POST', url, ada.accessToken, { range, windowSize: '1h' })).status).toBe(400);
});
