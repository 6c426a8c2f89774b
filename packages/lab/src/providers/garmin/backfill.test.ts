import { describe, expect, it } from 'vitest';
import type { Lab } from '../../lab-type.ts';
import { receive } from '../test-receiver.ts';
import type { Receiver } from '../test-receiver.ts';
import { api, connect, noon, rowsOf, startGarmin, testApp, until } from './test-client.ts';
import type { TestRow } from './test-client.ts';

const day = 86_400;
const now = noon / 1000;

function backfill(lab: Lab, token: string, type: string, start: number, end: number) {
  const span = `summaryStartTimeInSeconds=${start}&summaryEndTimeInSeconds=${end}`;
  return api(lab, `/wellness-api/rest/backfill/${type}?${span}`, token);
}

async function setMode(lab: Lab, receiver: Receiver, key: string, mode: 'push' | 'ping'): Promise<void> {
  const { clientId: client_id, clientSecret: client_secret } = testApp;
  const body = JSON.stringify({
    client_id,
    client_secret,
    endpoints: { [key]: { url: `${receiver.url}/${key}`, mode } },
  });
  await fetch(`${lab.url}/garmin/portal/endpoints`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body,
  });
}

describe('backfill', () => {
  it('accepts a request and pushes each day once', async () => {
    await using receiver = await receive();
    await using lab = await startGarmin(receiver);
    const { token } = await connect(lab, 'ada');
    expect(await backfill(lab, token, 'dailies', now - 30 * day, now)).toEqual({ status: 202, body: null });
    await until(() => receiver.received.length > 0);
    const rows = rowsOf(receiver, 'dailies');
    expect(rows).toHaveLength(29);
    expect(new Set(rows.map((row) => row.calendarDate)).size).toBe(29);
    for (const row of rows)
      expect(row).toMatchObject({ durationInSeconds: day, steps: lab.truth('ada', row.calendarDate).steps });
  });

  it('uses other names for some keys, and splits a long range into several calls', async () => {
    await using receiver = await receive();
    await using lab = await startGarmin(receiver);
    const { token } = await connect(lab, 'ada');
    for (const type of ['pulseOx', 'respiration', 'sleeps', 'epochs'])
      expect((await backfill(lab, token, type, now - 5 * day, now)).status).toBe(202);
    expect((await backfill(lab, token, 'pulseox', now - 5 * day, now)).status).toBe(404);
    await until(() => rowsOf(receiver, 'epochs').length > 400);
    await lab.pushes.idle();
    expect(rowsOf(receiver, 'pulseox').length).toBeGreaterThanOrEqual(4);
    expect(rowsOf(receiver, 'allDayRespiration').length).toBeGreaterThanOrEqual(4);
    const sleeps = rowsOf(receiver, 'sleeps');
    expect(new Set(sleeps.map((row) => row.calendarDate)).size).toBe(sleeps.length);
    expect(sleeps.every((row) => row.validation === 'AUTO_FINAL')).toBe(true);
    const epochs = rowsOf(receiver, 'epochs').map((row) => `${row.startTimeInSeconds} ${row.activityType}`);
    expect(new Set(epochs).size).toBe(epochs.length);
    expect(receiver.received.length).toBeGreaterThan(6);
  });

  it('rejects repeated requests, ranges over 30 days, ranges long before the connection, and missing permission', async () => {
    await using receiver = await receive();
    await using lab = await startGarmin(receiver);
    const { token } = await connect(lab, 'ada');
    expect((await backfill(lab, token, 'hrv', now - 9 * day, now)).status).toBe(202);
    expect((await backfill(lab, token, 'hrv', now - 9 * day, now)).status).toBe(409);
    expect((await backfill(lab, token, 'sleeps', now - 9 * day, now)).status).toBe(202);
    expect((await backfill(lab, token, 'hrv', now - 31 * day, now)).status).toBe(400);
    expect((await backfill(lab, token, 'hrv', now - 40 * day, now - 35 * day)).status).toBe(400);
    expect((await backfill(lab, token, 'hrv', now, now - day)).status).toBe(400);
    expect((await backfill(lab, token, 'tea', now - day, now)).status).toBe(404);
    const ben = await connect(lab, 'ben', ['ACTIVITY_EXPORT', 'HEALTH_EXPORT']);
    expect((await backfill(lab, ben.token, 'hrv', now - 9 * day, now)).status).toBe(403);
    expect((await backfill(lab, 'no-token', 'hrv', now - 9 * day, now)).status).toBe(401);
  });
});

it('reports 24 hours for a day of 23 hours, with the quarter-hours it had', async () => {
  const startAt = Date.parse('2026-03-31T12:00:00Z');
  await using receiver = await receive();
  await using lab = await startGarmin(receiver, { startAt });
  const { token } = await connect(lab, 'ada');
  const truth = lab.truth('ada', '2026-03-29');
  expect(truth.end - truth.start).toBe(23 * 3_600_000);
  for (const type of ['dailies', 'epochs'])
    await backfill(lab, token, type, truth.start / 1000, truth.end / 1000);
  await until(() => rowsOf(receiver, 'epochs').length > 0 && rowsOf(receiver, 'dailies').length > 0);
  await lab.pushes.idle();
  const [daily, ...more] = rowsOf(receiver, 'dailies');
  expect(more).toEqual([]);
  expect(daily).toMatchObject({ durationInSeconds: day, startTimeOffsetInSeconds: 3600, steps: truth.steps });
  expect(new Set(rowsOf(receiver, 'epochs').map((row) => row.startTimeInSeconds)).size).toBe(92);
});

it('does not send late data that newer data has replaced', async () => {
  await using receiver = await receive();
  await using lab = await startGarmin(receiver, { faults: [{ kind: 'late', rate: 1 }] });
  await connect(lab, 'ada');
  await lab.clock.advance(12 * day * 1000);
  const shrank = (key: string, growth: (row: TestRow) => number) => {
    const rows = rowsOf(receiver, key);
    return rows.filter((row, at) =>
      rows
        .slice(0, at)
        .some((before) => before.calendarDate === row.calendarDate && growth(before) > growth(row)),
    );
  };
  expect(rowsOf(receiver, 'dailies').length).toBeGreaterThan(10);
  expect(shrank('dailies', (row) => row.durationInSeconds)).toEqual([]);
  expect(shrank('sleeps', (row) => (row.validation === 'AUTO_FINAL' ? 1 : 0))).toEqual([]);
});

describe('pings', () => {
  it("contain a URL that works once, and only with the person's token", async () => {
    await using receiver = await receive();
    await using lab = await startGarmin();
    await setMode(lab, receiver, 'sleeps', 'ping');
    const ben = await connect(lab, 'ben');
    await connect(lab, 'ada');
    await lab.clock.advance(24 * 3_600_000);
    const userId = lab.grants('garmin').find(({ personId }) => personId === 'ada')!.userId;
    const pings = rowsOf(receiver, 'sleeps').filter((row) => row.userId === userId);
    expect(Object.keys(pings[0]).sort()).toEqual(['callbackURL', 'userId']);
    const { token } = await connect(lab, 'ada');
    const path = (url: string) => url.slice(`${lab.url}/garmin/apis`.length);
    const last = path(pings.at(-1).callbackURL);
    expect((await api(lab, last)).status).toBe(401);
    const other = await connect(lab, 'ben');
    expect(other.token).not.toBe(ben.token);
    expect((await api(lab, last, other.token)).body).toEqual({ errorMessage: 'InvalidPullTokenException' });
    const rows = (await api(lab, last, token)).body;
    expect(rows).toHaveLength(1);
    const night = lab.truth('ada', rows[0].calendarDate).sleeps.find((sleep) => sleep.isMain)!;
    expect(rows[0]).toMatchObject({ startTimeInSeconds: night.start / 1000, validation: 'AUTO_FINAL' });
    expect(await api(lab, last, token)).toEqual({
      status: 400,
      body: { errorMessage: 'InvalidPullTokenException' },
    });
  });

  it('are the only way to read: a request without a ping is rejected', async () => {
    await using lab = await startGarmin();
    const { token } = await connect(lab, 'ada');
    const window = (seconds: number) =>
      `uploadStartTimeInSeconds=${now - seconds}&uploadEndTimeInSeconds=${now}`;
    expect(await api(lab, `/wellness-api/rest/dailies?${window(3600)}`, token)).toEqual({
      status: 400,
      body: { errorMessage: 'InvalidPullTokenException' },
    });
    expect(
      (await api(lab, `/wellness-api/rest/dailies?${window(2 * day)}`, token)).body.errorMessage,
    ).toContain('24 hours');
  });
});

it('retries pushes that are not acknowledged with 200', async () => {
  await using receiver = await receive();
  await using lab = await startGarmin(receiver);
  await connect(lab, 'ada');
  receiver.statuses.splice(0, 1, 204, 500, 200);
  await lab.clock.advance(24 * 3_600_000);
  const [first] = lab.pushes.list();
  expect(first!.attempts[0]!.status).toBe(204);
  expect(first!.attempts.length).toBeGreaterThan(1);
  expect(lab.pushes.list().every(({ attempts }) => attempts.at(-1)!.status === 200)).toBe(true);
});
