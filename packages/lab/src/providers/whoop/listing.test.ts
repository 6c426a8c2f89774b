import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import { connect, type Connection, type Json } from '../../test/connect-person.ts';
import { whoop } from './index.ts';
import { policy } from './policy.ts';

const endpoints = { authorize: '/whoop/oauth/oauth2/auth', token: '/whoop/oauth/oauth2/token' };
const base = '/whoop/developer/v2';
let lab: Lab;
let ada: Connection;

beforeAll(async () => {
  lab = await startLab({ providers: [whoop], startAt: Date.parse('2026-04-20T12:00:00Z') });
  ada = await connect(lab, endpoints, 'ada', policy.scopes);
});
afterAll(() => lab[Symbol.asyncDispose]());

test.each(['cycle', 'activity/sleep', 'recovery', 'activity/workout'])(
  'pages of %s contain each record once',
  async (name) => {
    const range = 'start=2026-03-01T00:00:00.000Z&end=2026-04-05T00:00:00.000Z';
    const seen: Json[] = [];
    let next: string | undefined;
    let count = 0;
    do {
      const token: string = next === undefined ? '' : `&nextToken=${next}`;
      const { body } = await ada.get(`${base}/${name}?limit=7&${range}${token}`);
      expect(body.records.length).toBeLessThanOrEqual(7);
      seen.push(...body.records);
      count += 1;
      next = body.next_token;
      if (next === undefined) expect(body).not.toHaveProperty('next_token');
    } while (next !== undefined);
    const ids = seen.map((record) => record.id ?? record.sleep_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(count).toBe(Math.ceil(seen.length / 7));
    const days = Array.from({ length: 40 }, (_, index) =>
      lab.truth('ada', new Date(Date.UTC(2026, 1, 27 + index)).toISOString().slice(0, 10)),
    );
    const moments = {
      cycle: days.map(({ sleeps }) => sleeps[0]!.start),
      'activity/sleep': days.flatMap(({ sleeps }) => sleeps.map(({ start }) => start)),
      recovery: days.map(({ sleeps }) => sleeps[0]!.end),
      'activity/workout': days.flatMap(({ workouts }) => workouts.map(({ start }) => start)),
    }[name]!.filter((at) => at >= Date.UTC(2026, 2, 1) && at < Date.UTC(2026, 3, 5));
    expect(seen).toHaveLength(moments.length);
    if (name !== 'recovery')
      expect(seen.map(({ start }) => Date.parse(start))).toEqual(moments.toSorted((a, b) => b - a));
    await lab.clock.advance(60_000);
  },
);

test('returns ten records by default and 25 at most, with an inclusive start and an exclusive end', async () => {
  expect((await ada.get(`${base}/cycle`)).body.records).toHaveLength(10);
  expect((await ada.get(`${base}/cycle?limit=25`)).body.records).toHaveLength(25);
  const [newest, second] = (await ada.get(`${base}/activity/sleep?limit=2`)).body.records;
  const between = (await ada.get(`${base}/activity/sleep?start=${second.start}&end=${newest.start}`)).body;
  expect(between.records).toEqual([second]);
});

test('returns nothing before any user had a strap', async () => {
  expect((await ada.get(`${base}/cycle?end=0000-01-01T00:00:00Z`)).body).toEqual({ records: [] });
  const early = (await ada.get(`${base}/cycle?start=0001-01-01T00:00:00Z&end=2020-01-03T00:00:00Z`)).body
    .records;
  expect(early.length).toBeLessThan(5);
});

test('rejects invalid requests', async () => {
  for (const [path, status] of [
    ['cycle?limit=26', 400],
    ['cycle?limit=0', 400],
    ['cycle?start=2026-04-01', 400],
    ['cycle?start=2026-04-02T00:00:00Z&end=2026-04-01T00:00:00Z', 400],
    ['cycle?nextToken=nonsense', 400],
    ['cycle/12', 404],
    ['cycle/nonsense', 404],
    ['activity/sleep/7f0c9b1e-0000-4000-8000-000000000000', 404],
    ['activity/workout/nonsense', 404],
    ['recovery/1', 404],
  ] as const)
    expect((await ada.get(`${base}/${path}`)).status, path).toBe(status);
});

test("returns today's cycle without an end and growing, and a sleep without a score until it is ready", async () => {
  const startAt = lab.truth('ada', '2026-05-04').sleeps[0]!.end;
  await using own = await startLab({ providers: [whoop], startAt });
  const someone = await connect(own, endpoints, 'ada', policy.scopes);
  const sleep = own.truth('ada', '2026-05-04').sleeps[0]!;
  const states: string[] = [];
  for (let minutes = 0; minutes <= 40; minutes += 1) {
    await own.clock.moveTo(sleep.end + minutes * 60_000);
    const latest = (await someone.get(`${base}/activity/sleep?limit=1`)).body.records[0];
    if (Date.parse(latest.end) !== sleep.end) continue;
    expect('score' in latest).toBe(latest.score_state === 'SCORED');
    const recovery = (await someone.get(`${base}/cycle/${latest.cycle_id}/recovery`)).body;
    expect('score' in recovery).toBe(recovery.score_state === 'SCORED');
    if (states.at(-1) !== latest.score_state) states.push(latest.score_state);
  }
  expect(states).toEqual(['PENDING_SCORE', 'SCORED']);
  const open = async (): Promise<Json> => (await someone.get(`${base}/cycle?limit=1`)).body.records[0];
  const morning = await open();
  await own.clock.moveTo(Date.parse('2026-05-04T18:00:00Z'));
  const again = await connect(own, endpoints, 'ada', policy.scopes);
  const evening = (await again.get(`${base}/cycle?limit=1`)).body.records[0];
  expect(morning).not.toHaveProperty('end');
  expect(evening).not.toHaveProperty('end');
  expect(evening.id).toBe(morning.id);
  expect(evening.score.kilojoule).toBeGreaterThan(morning.score.kilojoule);
  expect(evening.score.strain).toBeGreaterThan(morning.score.strain);
  expect(Date.parse(evening.updated_at)).toBeGreaterThan(Date.parse(morning.updated_at));
});

test('shows a revision in updated_at, and removes deleted records', async () => {
  const faults = [{ kind: 'revised' as const, rate: 1 }];
  await using own = await startLab({ providers: [whoop], startAt: lab.clock.now(), faults });
  const someone = await connect(own, endpoints, 'ada', policy.scopes);
  for (const name of ['activity/sleep', 'activity/workout']) {
    let deletedCount = 0;
    let rescored = 0;
    for (const month of [10, 11, 12]) {
      const path = `${base}/${name}?limit=25&start=2025-${month}-01T00:00:00Z&end=2025-${month}-24T00:00:00Z`;
      const before = (await ada.get(path)).body.records;
      const after = new Map<string, Json>(
        (await someone.get(path)).body.records.map((one: Json) => [one.id, one]),
      );
      for (const record of before) {
        const revised = after.get(record.id);
        if (!revised) {
          deletedCount += 1;
          expect((await someone.get(`${base}/${name}/${record.id}`)).status).toBe(404);
          expect((await ada.get(`${base}/${name}/${record.id}`)).status).toBe(200);
          continue;
        }
        expect(Date.parse(revised.updated_at)).toBeGreaterThan(Date.parse(record.updated_at));
        if (revised.score_state === 'SCORED') expect(revised.score).not.toEqual(record.score);
        // A bedtime edit does not change the sleep itself, so this score was recalculated.
        const performance = (one: Json): number =>
          one.score?.sleep_performance_percentage ?? one.score?.strain ?? 0;
        if (performance(revised) !== performance(record)) rescored += 1;
      }
      await lab.clock.advance(60_000);
      await own.clock.advance(60_000);
    }
    expect(deletedCount).toBeGreaterThan(0);
    expect(rescored).toBeGreaterThan(0);
  }
}, 20_000);
