import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import { connect, type Connection, type Json } from '../../test/connect-person.ts';
import { oura } from './index.ts';
import { policy } from './policy.ts';

const endpoints = { authorize: '/oura/cloud/oauth/authorize', token: '/oura/api/oauth/token' };
const base = '/oura/api/v2/usercollection';
const noon = Date.parse('2026-04-20T12:00:00Z');
let lab: Lab;
let ada: Connection;

beforeAll(async () => {
  lab = await startLab({ providers: [oura], startAt: noon });
  ada = await connect(lab, endpoints, 'ada', policy.scopes);
});
afterAll(() => lab[Symbol.asyncDispose]());

async function pages(path: string, connection = ada): Promise<Json[][]> {
  const results: Json[][] = [];
  let next: string | null = null;
  do {
    const { status, body } = await connection.get(
      next === null ? path : `${path.split('?')[0]}?next_token=${next}`,
    );
    expect(status).toBe(200);
    results.push(body.data);
    next = body.next_token;
  } while (next !== null);
  return results;
}
const days = (documents: Json[]): string[] => documents.map(({ day }) => day);

test('returns each document once over all pages, in order, and needs only a token to continue', async () => {
  const sleepPages = await pages(`${base}/sleep?start_date=2026-01-01&end_date=2026-04-01`);
  const all = sleepPages.flat();
  const truth = Array.from({ length: 90 }, (_, index) =>
    lab.truth('ada', new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)),
  ).flatMap(({ sleeps }) => sleeps);
  expect(sleepPages.length).toBeGreaterThan(1);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.map(({ bedtime_end: end }) => Date.parse(end))).toEqual(truth.map(({ end }) => end));
});

test('reads a plain end date as its midnight, which excludes today', async () => {
  const [short] = await pages(`${base}/daily_sleep?start_date=2026-04-18&end_date=2026-04-20`);
  expect(days(short!)).toEqual(['2026-04-18', '2026-04-19']);
  for (const end of ['2026-04-20T23:59:59', '2026-04-21', '2026-04-20T20:00:00%2B02:00']) {
    const [whole] = await pages(`${base}/daily_sleep?start_date=2026-04-18&end_date=${end}`);
    expect(days(whole!)).toEqual(['2026-04-18', '2026-04-19', '2026-04-20']);
  }
});

test('limits a list to the requested fields', async () => {
  const [page] = await pages(
    `${base}/daily_activity?start_date=2026-04-17&end_date=2026-04-18&fields=day,steps`,
  );
  expect(page!.map((document) => Object.keys(document).toSorted())).toEqual([['day', 'steps']]);
});

test('returns nothing before any user had a ring', async () => {
  expect(await pages(`${base}/sleep?start_date=0001-01-01&end_date=2019-12-31`)).toEqual([[]]);
  const range = 'start_datetime=0001-01-01T00:00:00Z&end_datetime=0001-01-05T00:00:00Z';
  expect(await pages(`${base}/heartrate?${range}`)).toEqual([[]]);
});

test('rejects invalid requests', async () => {
  for (const [path, status] of [
    ['sleep?start_date=yesterday', 400],
    ['sleep?start_date=2026-02-30', 400],
    ['sleep?start_date=2026-04-02&end_date=2026-04-01', 400],
    ['sleep?start_date=2026-04-01&start_date=2026-04-02', 400],
    ['sleep?next_token=bm9uc2Vuc2U', 400],
    ['sleep/7f0c9b1e-0000-4000-8000-000000000000', 404],
    ['sleep/nonsense', 404],
    ['nonsense', 404],
    ['heartrate?start_datetime=now', 400],
    ['heartrate?start_datetime=2026-01-01T00:00:00Z&end_datetime=2026-02-01T00:00:00Z', 400],
    ['heartrate?start_datetime=2026-01-02T00:00:00Z&end_datetime=2026-01-01T00:00:00Z', 400],
  ] as const)
    expect((await ada.get(`${base}/${path}`)).status, path).toBe(status);
});

test('returns heart rate in pages with its sources, every five minutes', async () => {
  const range = 'start_datetime=2026-04-10T00:00:00%2B02:00&end_datetime=2026-04-15T00:00:00%2B02:00';
  const heartRatePages = await pages(`${base}/heartrate?${range}`);
  expect(heartRatePages.length).toBe(2);
  const rows = heartRatePages.flat();
  const truths = ['10', '11', '12', '13', '14', '15'].map((day) => lab.truth('ada', `2026-04-${day}`));
  expect(rows.map(({ timestamp_unix: at, bpm }) => ({ at, value: bpm }))).toEqual(
    truths.slice(0, 5).flatMap(({ heartRate }) => heartRate),
  );
  const inside = (spans: { start: number; end: number }[], at: number): boolean =>
    spans.some(({ start, end }) => start <= at && at < end);
  for (const { timestamp, timestamp_unix: at, source } of rows) {
    expect(Date.parse(timestamp)).toBe(at);
    expect(timestamp).toMatch(/Z$/);
    const asleep = inside(
      truths.flatMap(({ sleeps }) => sleeps),
      at,
    );
    const training = inside(
      truths.flatMap(({ workouts }) => workouts),
      at,
    );
    expect(source).toBe(asleep ? 'sleep' : training ? 'workout' : 'awake');
  }
  expect(new Set(rows.map(({ source }) => source)).size).toBeGreaterThan(1);
});

test('ignores the range parameters of other collections for heart rate, and returns the latest row', async () => {
  expect(await pages(`${base}/heartrate?start_date=2026-04-10&end_date=2026-04-12`)).toEqual([[]]);
  const lastDay = (await pages(`${base}/heartrate`)).flat();
  const [latest] = await pages(`${base}/heartrate?latest=true`);
  expect(latest).toEqual(lastDay.slice(-1));
  expect(noon - latest![0].timestamp_unix).toBeLessThan(2 * 3_600_000);
});

test("leaves out sleep that has not ended, and grows today's totals", async () => {
  await using own = await startLab({ providers: [oura], startAt: Date.parse('2026-05-04T09:00:00Z') });
  const eve = await connect(own, endpoints, 'ada', policy.scopes);
  const today = async (name: string): Promise<Json> =>
    (await pages(`${base}/${name}?start_date=2026-05-04&end_date=2026-05-05`, eve))[0]![0];
  const totals: number[] = [];
  let id: string | undefined;
  for (const time of ['2026-05-04T09:00Z', '2026-05-04T13:00Z', '2026-05-04T17:00Z', '2026-05-05T03:00Z']) {
    await own.clock.moveTo(Date.parse(time));
    const activity = await today('daily_activity');
    totals.push(activity.steps);
    id ??= activity.id;
    expect(activity.id).toBe(id);
    expect((await today('daily_stress')) === undefined).toBe(time < '2026-05-05');
  }
  expect(totals.toSorted((a, b) => a - b)).toEqual(totals);
  expect(new Set(totals).size).toBe(4);
  const { hourlySteps } = own.truth('ada', '2026-05-04');
  expect(totals[0]).toBe(hourlySteps.slice(4, 10).reduce((sum, steps) => sum + steps, 0));
});

test('moves bedtime and scores with a revision, and ends naps as rejected or deleted', async () => {
  const faults = [{ kind: 'revised' as const, rate: 1 }];
  await using own = await startLab({ providers: [oura], startAt: noon, faults });
  const edited = await connect(own, endpoints, 'ada', policy.scopes);
  const range = '?start_date=2026-01-01&end_date=2026-04-10';
  const sleeps = (await pages(`${base}/sleep${range}`, edited)).flat();
  const truths = new Map(
    (await pages(`${base}/sleep${range}`)).flat().map((document) => [document.id, document]),
  );
  expect(sleeps.length).toBe(truths.size);
  for (const sleep of sleeps) {
    const truth = truths.get(sleep.id);
    expect(sleep.sleep_analysis_reason).toBe('bedtime_edit');
    expect(Date.parse(sleep.bedtime_start)).toBeGreaterThanOrEqual(Date.parse(truth.bedtime_start));
    expect(sleep.latency - truth.latency).toBe(sleep.time_in_bed - truth.time_in_bed);
    expect(sleep.total_sleep_duration).toBe(truth.total_sleep_duration);
  }
  expect(sleeps.some((sleep) => sleep.time_in_bed < truths.get(sleep.id).time_in_bed)).toBe(true);
  const naps = sleeps.filter(({ id }) => truths.get(id).type === 'sleep');
  expect(naps.every(({ average_hrv: hrv }) => hrv === null)).toBe(true);
  expect(new Set(naps.map(({ type }) => type))).toEqual(new Set(['sleep', 'rest', 'deleted']));
  const scores = (await pages(`${base}/daily_sleep${range}`, edited)).flat();
  const before = (await pages(`${base}/daily_sleep${range}`)).flat();
  for (const [index, { score }] of scores.entries()) expect(score).toBeLessThan(before[index].score);
}, 20_000);
