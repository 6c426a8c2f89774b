import { expect, test } from 'vitest';
import { startLab, type StartLabOptions } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import { connect, type Connection, type Json } from '../../test/connect-person.ts';
import { dexcom } from './index.ts';
import { policy } from './policy.ts';

const endpoints = { authorize: '/dexcom/v2/oauth2/login', token: '/dexcom/v2/oauth2/token' };
const base = '/dexcom/v3/users/self';
const startAt = Date.parse('2026-04-20T12:00:00Z');
const day = 86_400_000;
const start = (options: StartLabOptions = {}) => startLab({ providers: [dexcom], startAt, ...options });
const connectTo = (lab: Lab, person = 'ben') => connect(lab, endpoints, person, policy.scopes);
const text = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
const query = (from: number, to: number) => `startDate=${text(from)}&endDate=${text(to)}`;
const read = async (who: Connection, kind: string, from: number, to: number): Promise<Json[]> =>
  (await who.get(`${base}/${kind}?${query(from, to)}`)).body.records;
const momentOf = ({ systemTime }: Json): number => Date.parse(`${systemTime.slice(0, 16)}:00Z`);
const rangeOf = async (who: Connection, lastSync?: number): Promise<Json> => {
  const { status, body } = await who.get(
    `${base}/dataRange${lastSync === undefined ? '' : `?lastSyncTime=${text(lastSync)}`}`,
  );
  expect(status).toBe(200);
  return body;
};

test('reads range ends as UTC, at most 30 days apart, with an exclusive end', async () => {
  await using lab = await start();
  const ben = await connectTo(lab);
  const at = Date.parse('2026-04-10T10:00:00Z');
  const minutes = (await read(ben, 'egvs', at, at + 600_000)).map(momentOf);
  expect(minutes).toEqual([at + 300_000, at]);
  const statusOf = async (queryString: string) => (await ben.get(`${base}/egvs?${queryString}`)).status;
  expect(await statusOf(query(at - 30 * day, at))).toBe(200);
  for (const queryString of [
    query(at - 30 * day, at + 1000),
    query(at, at - 1000),
    `startDate=${text(at)}`,
    `endDate=${text(at)}`,
    'startDate=2026-04-10&endDate=2026-04-11',
    `startDate=${text(at)}Z&endDate=${text(at)}Z`,
    `startDate=${text(at)}&${query(at, at)}`,
  ])
    expect(await statusOf(queryString), queryString).toBe(400);
});

test('reports exercise in minutes as text, and meals', async () => {
  await using lab = await start();
  const ben = await connectTo(lab);
  const [from, to] = [startAt - 29 * day, startAt - 2 * day];
  const events = await read(ben, 'events', from, to);
  const dates = Array.from({ length: 31 }, (_, back) => text(startAt - back * day).slice(0, 10));
  const workouts = dates
    .flatMap((date) => lab.truth('ben', date).workouts.toReversed())
    .filter((workout) => workout.start >= from && workout.start < to);
  const exercise = events.filter(({ eventType }) => eventType === 'exercise');
  expect(exercise.map((one) => [momentOf(one), one.value, one.unit, one.eventStatus])).toEqual(
    workouts.map((workout) => [
      workout.start,
      String((workout.end - workout.start) / 60_000),
      'minutes',
      'created',
    ]),
  );
  expect(workouts.length).toBeGreaterThan(3);
  const others = events.filter(({ eventType }) => eventType !== 'exercise');
  expect(others.length).toBeGreaterThan(20);
  for (const one of others)
    expect(one).toMatchObject({ eventType: 'carbs', unit: 'grams', value: expect.stringMatching(/^\d+$/) });
  expect(new Set(events.map(({ recordId }) => recordId)).size).toBe(events.length);
});

test('keeps updated and deleted events, marked as such', async () => {
  await using lab = await start({ faults: [{ kind: 'revised', rate: 1 }] });
  const events = await read(await connectTo(lab), 'events', startAt - 30 * day, startAt);
  const statuses = new Set(events.map(({ eventStatus }) => eventStatus));
  expect(statuses).toEqual(new Set(['updated', 'deleted']));
  const changed = events.find((one) => one.eventType === 'exercise' && one.eventStatus === 'updated');
  const minutes = ['2026-03', '2026-04']
    .flatMap((month) =>
      Array.from({ length: 30 }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`),
    )
    .flatMap((date) => lab.truth('ben', date).workouts)
    .find((workout) => workout.start === momentOf(changed))!;
  expect(Number(changed.value)).toBeGreaterThan((minutes.end - minutes.start) / 60_000);
});

test('returns the range from the first to the last reading, or since a sync only what arrived after it', async () => {
  await using lab = await start();
  const ben = await connectTo(lab);
  const newest = (await read(ben, 'egvs', startAt - day, startAt))[0];
  const all = await rangeOf(ben);
  expect(all).toMatchObject({ recordType: 'dataRange', recordVersion: '3.0', calibrations: null });
  expect(all.egvs.end).toEqual({ systemTime: newest.systemTime, displayTime: newest.displayTime });
  expect(momentOf(all.egvs.start)).toBe(Date.parse('2025-01-01T05:00:00Z'));
  const lastEvent = (await read(ben, 'events', startAt - 5 * day, startAt))[0];
  expect(all.events.end.systemTime).toBe(lastEvent.systemTime);
  expect(momentOf(all.events.start)).toBeLessThan(Date.parse('2025-01-02T05:00:00Z'));

  expect((await rangeOf(ben, startAt)).egvs).toBeNull();
  const since = await rangeOf(ben, startAt - 7 * day);
  expect(since.egvs.end).toEqual(all.egvs.end);
  expect(momentOf(since.egvs.start)).toBeLessThan(startAt - 7 * day);
  expect(momentOf(since.egvs.start)).toBeGreaterThan(startAt - 10 * day);
});

test('returns a wrong range for a sync more than a hundred days ago', async () => {
  await using lab = await start();
  const ben = await connectTo(lab);
  const good = await rangeOf(ben, startAt - 99 * day);
  expect(momentOf(good.egvs.start)).toBeLessThan(startAt - 99 * day);
  const wrong = await rangeOf(ben, startAt - 150 * day);
  expect(momentOf(wrong.egvs.start)).toBeGreaterThan(startAt - 103 * day);
});

test('gives a user a different id in each app', async () => {
  await using lab = await start({ apps: [{}, { clientId: 'other-app', clientSecret: 'secret' }] });
  const userOf = async (apps: Lab['apps'], person: string) =>
    (await rangeOf(await connect({ ...lab, apps }, endpoints, person, policy.scopes))).userId;
  const [one, other] = [lab.apps, lab.apps.toReversed()];
  const ids = [await userOf(one, 'ben'), await userOf(other, 'ben'), await userOf(one, 'finn')];
  expect(new Set(ids).size).toBe(3);
  expect(await userOf(one, 'ben')).toBe(ids[0]);
  const { body } = await (await connectTo(lab)).get(`${base}/egvs?${query(startAt - day, startAt)}`);
  expect(body.userId).toBe(ids[0]);
});

test('returns no calibrations and no alerts, and nothing for users without a sensor', async () => {
  await using lab = await start();
  const ben = await connectTo(lab);
  for (const [path, recordType] of [
    ['calibrations', 'calibration'],
    ['alerts', 'alert'],
  ])
    expect((await ben.get(`${base}/${path}?${query(startAt - day, startAt)}`)).body).toMatchObject({
      recordType,
      records: [],
    });
  const ada = await connectTo(lab, 'ada');
  for (const path of ['egvs', 'events', 'devices'])
    expect(await read(ada, path, startAt - 10 * day, startAt), path).toEqual([]);
  expect(await rangeOf(ada)).toMatchObject({ egvs: null, events: null });
});
