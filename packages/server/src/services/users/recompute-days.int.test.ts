import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findMetric } from '@tributary/domain';
import { testActor } from '../../test/acting.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';
import { rebuildLayers } from './rebuild-layers.ts';
import { recomputeUserDays } from './recompute-days.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const watch = { id: 'watch-1' };
/** Crosses midnight in New York and in Tokyo. */
const content = {
  series: [
    {
      metric: 'heart_rate',
      start: '2026-03-02T04:00:00Z',
      interval_seconds: 600,
      values: [60, 61, 62, 63, 64, 65, 80, 81, 82],
    },
    {
      metric: 'heart_rate',
      start: '2026-03-01T14:30:00Z',
      interval_seconds: 600,
      values: [50, 51, 52, 90, 91, 92],
    },
  ],
  daily: [{ metric: 'floors_climbed', date: '2026-02-25', value: 9 }],
  sleep: [{ id: 'night', start: '2026-03-02T00:30:00Z', end: '2026-03-02T04:40:00Z' }],
  workouts: [
    { id: 'run', sport_type: 'running', start: '2026-03-02T03:00:00Z', end: '2026-03-02T03:40:00Z' },
  ],
};

const laterContent = {
  series: [
    {
      metric: 'heart_rate',
      start: '2026-03-01T03:30:00Z',
      interval_seconds: 600,
      values: [70, 71, 72, 73, 74, 75],
    },
  ],
  sleep: [{ id: 'second night', start: '2026-03-02T23:30:00Z', end: '2026-03-03T05:40:00Z' }],
};
const latestContent = {
  series: [
    { metric: 'heart_rate', start: '2026-03-01T13:30:00Z', interval_seconds: 600, values: [95, 96, 97] },
  ],
};

async function userIn(timezone: string | null): Promise<PhoneUser> {
  const user = await createPhoneUser(app, timezone === null ? {} : { timezone });
  await user.upload(watch, content);
  await workThrough(app);
  return user;
}

const move = async (user: PhoneUser, body: object) =>
  (await app.request('PATCH', `/v1/users/${user.id}`, { body })).status;

async function jobsOf({ uuid }: PhoneUser): Promise<unknown[]> {
  const { rows } = await app.admin.query(
    `SELECT data FROM pgboss.job WHERE name = 'recut-user' AND singleton_key = $1`,
    [uuid],
  );
  return rows.map(({ data }) => data);
}

async function canonicalValuesOf({ uuid }: PhoneUser): Promise<unknown> {
  const months = await app.admin.query(
    `SELECT metric_no, month, printed, encode(detail, 'hex') AS detail FROM canonical_months WHERE user_id = $1 ORDER BY 1, 2`,
    [uuid],
  );
  const sessions = await app.admin.query(
    `SELECT day::text, source_id, content FROM canonical_sleep WHERE user_id = $1
     UNION ALL SELECT day::text, source_id, content FROM canonical_workouts WHERE user_id = $1 ORDER BY 1, 2`,
    [uuid],
  );
  return { months: months.rows, sessions: sessions.rows };
}

async function eventsOf({ uuid }: PhoneUser) {
  const { rows } = await app.admin.query(
    `SELECT type, device_id, metrics, data FROM events WHERE user_id = $1 ORDER BY xid, id`,
    [uuid],
  );
  return rows;
}

describe('a user who changes the time zone', () => {
  test.each([
    ['America/New_York', 'Asia/Tokyo'],
    ['Asia/Tokyo', 'America/New_York'],
    [null, 'Pacific/Kiritimati'],
  ])('for all days from %s to %s has the values of a user who always lived there', async (from, to) => {
    const [user, native] = [await userIn(from), await userIn(to)];
    expect(await canonicalValuesOf(user)).not.toEqual(await canonicalValuesOf(native));
    expect(await move(user, { timezone: to, timezone_effective_from: 'all' })).toBe(200);
    expect(await jobsOf(user)).toEqual([{ userId: user.uuid }]);
    await recomputeUserDays(app.ctx, user.uuid);
    expect(await canonicalValuesOf(user)).toEqual(await canonicalValuesOf(native));
  });

  test('gets one event with the changed values', async () => {
    const user = await userIn('America/New_York');
    await move(user, { timezone: 'Asia/Tokyo', timezone_effective_from: 'all' });
    const before = (await eventsOf(user)).length;
    await recomputeUserDays(app.ctx, user.uuid);
    await recomputeUserDays(app.ctx, user.uuid);
    const [event, ...rest] = (await eventsOf(user)).slice(before);
    expect(rest).toEqual([]);
    expect(event).toMatchObject({
      type: 'data.updated',
      device_id: null,
      data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-02', backfill: true },
    });
    expect(event.metrics).toContain(findMetric('heart_rate')!.no);
    expect(event.metrics).not.toContain(findMetric('floors_climbed')!.no); // the platform assigned it to a day itself
  });

  test('keeps the values of earlier days, also of data that arrives later', async () => {
    const [user, settled] = [await userIn('Asia/Tokyo'), await userIn('Asia/Tokyo')];
    expect(await move(user, { timezone: 'America/New_York' })).toBe(200);
    expect(await jobsOf(user)).toEqual([{ userId: user.uuid }]);
    await recomputeUserDays(app.ctx, user.uuid);
    expect(await canonicalValuesOf(user)).toEqual(await canonicalValuesOf(settled));
    expect((await eventsOf(user)).filter(({ type }) => type === 'data.updated')).toHaveLength(1);
    for (const one of [user, settled]) await one.upload(watch, laterContent);
    await workThrough(app);
    expect(await canonicalValuesOf(user)).toEqual(await canonicalValuesOf(settled));
  });

  test.each(['normalized', 'raw'] as const)('has the same layers after a rebuild from %s', async (from) => {
    const user = await userIn('America/New_York');
    await move(user, { timezone: 'Asia/Tokyo', timezone_effective_from: '2026-03-01' });
    await user.upload(watch, laterContent); // processed before the days are split again
    await workThrough(app);
    await recomputeUserDays(app.ctx, user.uuid);
    await user.upload(watch, latestContent);
    await workThrough(app);
    const rebuilt = await rebuildLayers(app.ctx, testActor, { userId: user.uuid, from, check: true });
    expect(rebuilt!.changed).toBe(false);
    expect(Object.values(rebuilt!.tables)).not.toContain('different');
  });

  test('has the same values in any order of uploads and moves', async () => {
    const moves = [
      { timezone: 'Asia/Tokyo', timezone_effective_from: '2026-03-01' },
      { timezone: 'Europe/Berlin', timezone_effective_from: '2026-03-02' },
    ];
    const first = await userIn('America/New_York');
    for (const body of moves) await move(first, body);
    await first.upload(watch, laterContent);
    await workThrough(app);
    await recomputeUserDays(app.ctx, first.uuid);
    const second = await createPhoneUser(app, { timezone: 'America/New_York' });
    await move(second, moves[0]!);
    await second.upload(watch, laterContent);
    await workThrough(app);
    await move(second, moves[1]!);
    await second.upload(watch, content);
    await workThrough(app);
    await recomputeUserDays(app.ctx, second.uuid);
    expect(await canonicalValuesOf(second)).toEqual(await canonicalValuesOf(first));
  });

  // @contract all/sources: The first time zone of a user who had none applies to all days
  test('for the first time has the values of a user who always lived there', async () => {
    const [user, native] = [await userIn(null), await userIn('Asia/Tokyo')];
    await move(user, { timezone: 'Asia/Tokyo' });
    await recomputeUserDays(app.ctx, user.uuid);
    expect(await canonicalValuesOf(user)).toEqual(await canonicalValuesOf(native));
  });

  test('several times before a worker starts is processed once', async () => {
    const user = await userIn('America/New_York');
    for (const timezone of ['Asia/Tokyo', 'Europe/Berlin', 'Africa/Cairo'])
      expect(await move(user, { timezone })).toBe(200);
    expect(await jobsOf(user)).toHaveLength(1);
  });

  test('and is deleted leaves the job nothing to do', async () => {
    const user = await userIn('America/New_York');
    await move(user, { timezone: 'Asia/Tokyo' });
    const before = await canonicalValuesOf(user);
    await app.request('DELETE', `/v1/users/${user.id}`);
    await recomputeUserDays(app.ctx, user.uuid);
    expect(await canonicalValuesOf(user)).toEqual(before);
  });
});

describe('a user who keeps the time zone', () => {
  test.each([
    ['Europe/Berlin', { timezone: 'Europe/Berlin' }],
    ['Europe/Berlin', { profile: { height_cm: 170 } }],
    ['UTC', { timezone: null }],
    [null, { timezone: 'UTC' }],
    ['Europe/Berlin', { timezone: 'Europe/Berlin', timezone_effective_from: 'all' }],
    ['Europe/Berlin', { timezone: 'Europe/Berlin', timezone_effective_from: '2026-03-01' }],
  ])('in %s and sends %j gets no job', async (timezone, body) => {
    const user = await createPhoneUser(app, timezone === null ? {} : { timezone });
    expect(await move(user, body)).toBe(200);
    expect(await jobsOf(user)).toEqual([]);
  });

  test('because the change was rejected gets no job', async () => {
    const user = await createPhoneUser(app);
    await app.request('POST', '/v1/users', { body: { external_ref: 'taken' } });
    expect(await move(user, { timezone: 'Asia/Tokyo', reference_id: 'taken' })).toBe(409);
    expect(await jobsOf(user)).toEqual([]);
  });
});
