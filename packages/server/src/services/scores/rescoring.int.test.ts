import { formatDay, parseDay } from '@tributary/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliverLived } from '../../test/data/lived-days.ts';
import { scoreThrough } from '../../test/data/score-through.ts';
import { datesFrom, nightOf } from '../../test/data/scored-user.ts';
import {
  changedBetween,
  datesOf,
  differencesBetween,
  readStoredScores,
  scoreFromScratch,
} from '../../test/data/stored-scores.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, type PhoneUser } from '../../test/data/uploads.ts';
import { reconsolidateUser } from '../consolidation/reconsolidate-user.ts';
import { removeDevice } from '../devices/remove-device.ts';
import { recomputeUserDays } from '../users/recompute-days.ts';
import { rescoreUser } from './rescore-user.ts';

const hourMs = 3_600_000;
const dates = datesFrom('2026-03-01', 9);
const watch = { id: 'watch', kind: 'watch', provider: 'apple_health' };
const band = { id: 'band', kind: 'band', provider: 'health_connect' };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
/** All days are over and closed. */
beforeEach(() => app.moveClock(Date.parse('2026-03-12T12:00:00Z') - Date.now()));

const deliver = (user: PhoneUser, device: typeof watch, content: object) =>
  deliverLived(app, user.id, [{ device, content }]);

/** Nine days of a watch. A band reports two of them differently. */
async function wearer(): Promise<PhoneUser> {
  const user = await createPhoneUser(app, {
    timezone: 'UTC',
    profile: { birth_date: '1990-03-05', sex: 'female', weight_kg: 60 },
  });
  await deliver(user, watch, {
    sleep: dates.map(nightOf),
    daily: dates.flatMap((date, at) => [
      { metric: 'resting_heart_rate', date, value: 55 + (at % 3) },
      { metric: 'active_calories', date, value: 400 + 20 * at },
    ]),
  });
  await deliver(user, band, {
    daily: [
      { metric: 'resting_heart_rate', date: dates[6], value: 70 },
      { metric: 'active_calories', date: dates[5], value: 900 },
    ],
  });
  await scoreThrough(app);
  return user;
}

const range = { from: parseDay(dates[0]!)! - 2, to: parseDay(dates[8]!)! + 2 };

/** The scores that a change affected. The result must equal scoring from scratch. */
async function changesBy(user: PhoneUser, change: () => Promise<unknown>): Promise<string[]> {
  const before = await readStoredScores(app, user.uuid);
  // Long enough for everything to be published again.
  await app.moveClock(app.ctx.clock.now() + 3 * hourMs - Date.now());
  await change();
  await scoreThrough(app);
  const after = await readStoredScores(app, user.uuid);
  const changed = changedBetween(before, after);
  for (const [key, { publishedMs }] of Object.entries(before.scores))
    if (!changed.includes(key)) expect([key, after.scores[key]!.publishedMs]).toEqual([key, publishedMs]);
  expect(differencesBetween(await scoreFromScratch(app, user.uuid, range), after)).toEqual([]);
  return changed;
}

async function staleDaysOf({ uuid }: PhoneUser): Promise<string[]> {
  const { rows } = await app.admin.query(
    `SELECT generate_series(lower(r), upper(r) - 1) AS day FROM stale_scores, unnest(days) AS r WHERE user_id = $1`,
    [uuid],
  );
  return rows.map(({ day }) => formatDay(day));
}

describe('scores after a change', () => {
  test('follow new settings on the days that they affect', async () => {
    const user = await wearer();
    const changed = await changesBy(user, async () => {
      const body = { metrics: { resting_heart_rate: { providers: { apple_health: false } } } };
      await app.request('PATCH', `/v1/users/${user.id}/consolidation`, { body });
      await reconsolidateUser(app.ctx, user.uuid);
      expect(await staleDaysOf(user)).toEqual(dates);
    });
    // Only one day of the resting heart rate remains, with nothing to compare it to.
    expect(datesOf(changed, 'recovery_score')).toEqual(dates.slice(3));
    expect(datesOf(changed, 'sleep_score')).toEqual([]);
  });

  test('follow settings for a metric of a single day, from that day on', async () => {
    const user = await wearer();
    const changed = await changesBy(user, async () => {
      const body = { metrics: { active_calories: { method: 'max' } } };
      await app.request('PATCH', `/v1/users/${user.id}/consolidation`, { body });
      await reconsolidateUser(app.ctx, user.uuid);
      expect(await staleDaysOf(user)).toEqual([dates[5]]);
    });
    expect(datesOf(changed, 'strain_score')).toEqual([dates[5]]);
    expect(changed.filter((key) => key.split(' ')[1]! < dates[5]!)).toEqual([]);
  });

  test('do not change for settings without effect', async () => {
    const user = await wearer();
    const changed = await changesBy(user, async () => {
      const body = { metrics: { vo2_max: { providers: { apple_health: false } } } };
      await app.request('PATCH', `/v1/users/${user.id}/consolidation`, { body });
      await reconsolidateUser(app.ctx, user.uuid);
      expect(await staleDaysOf(user)).toEqual([]);
    });
    expect(changed).toEqual([]);
  });

  test('follow a removed device', async () => {
    const user = await wearer();
    await deliver(user, band, { daily: [{ metric: 'body_fat_percentage', date: dates[1], value: 22 }] });
    const { rows } = await app.admin.query(
      `SELECT id FROM devices WHERE user_id = $1 AND provider = 'apple_health'`,
      [user.uuid],
    );
    const changed = await changesBy(user, async () => {
      await app.admin.query('UPDATE devices SET removed_at = tributary_now() WHERE id = $1', [rows[0].id]);
      await removeDevice(app.ctx, { userId: user.uuid, deviceId: rows[0].id });
    });
    expect(datesOf(changed, 'sleep_score')).toEqual(dates);
    const { scores } = await readStoredScores(app, user.uuid);
    expect(Object.keys(scores)).toEqual([`strain_score ${dates[5]}`]);
  });

  test('follow a new time zone in which nights end on other days', async () => {
    const user = await wearer();
    const changed = await changesBy(user, async () => {
      await app.request('PATCH', `/v1/users/${user.id}`, { body: { timezone: 'Europe/London' } });
      await recomputeUserDays(app.ctx, user.uuid);
    });
    expect(changed).toEqual([]);
    const west = await changesBy(user, async () => {
      await app.request('PATCH', `/v1/users/${user.id}`, {
        body: { timezone: 'America/Los_Angeles', timezone_effective_from: 'all' },
      });
      await recomputeUserDays(app.ctx, user.uuid);
    });
    // 06:00 UTC is the previous evening there.
    expect(datesOf(west, 'sleep_score')[0]).toBe('2026-02-28');
    expect(datesOf(west, 'sleep_score').at(-1)).toBe(dates[8]);
  });

  test('follow a new birth date', async () => {
    const user = await wearer();
    const changed = await changesBy(user, async () => {
      await app.request('PATCH', `/v1/users/${user.id}`, { body: { profile: { birth_date: '1955-03-05' } } });
      await rescoreUser(app.ctx, user.uuid);
      expect(await staleDaysOf(user)).toEqual(dates);
    });
    // From age 65 on, more than eight hours are too much. She slept 7.5 hours, and other hours count for her days.
    expect(new Set(changed.map((key) => key.split(' ')[0]))).not.toContain('strain_score');
  });

  test('follow a new weight if work is reported only as energy', async () => {
    const user = await wearer();
    const changed = await changesBy(user, async () => {
      await app.request('PATCH', `/v1/users/${user.id}`, { body: { profile: { weight_kg: 80 } } });
      await rescoreUser(app.ctx, user.uuid);
    });
    expect(datesOf(changed, 'strain_score')).toEqual(dates);
    expect(datesOf(changed, 'sleep_score')).toEqual([]);
  });
});

test('scores are published without delay after a profile change', async () => {
  const user = await wearer();
  const before = await readStoredScores(app, user.uuid);
  await app.request('PATCH', `/v1/users/${user.id}`, { body: { profile: { weight_kg: 80 } } });
  await rescoreUser(app.ctx, user.uuid);
  await scoreThrough(app);
  const changed = changedBetween(before, await readStoredScores(app, user.uuid));
  expect(datesOf(changed, 'strain_score')).toEqual(dates);
});

test.each([
  [{ birth_date: '1980-01-01' }, 1],
  [{ sex: 'male' }, 1],
  [{ weight_kg: 71 }, 1],
  [{ max_heart_rate: 190 }, 1],
  [{ height_cm: 171 }, 0],
])('a profile change of %j rescores %d users', async (profile, jobs) => {
  const user = await createPhoneUser(app, { timezone: 'UTC' });
  await app.request('PATCH', `/v1/users/${user.id}`, { body: { profile } });
  const { rows } = await app.admin.query(
    `SELECT 1 FROM pgboss.job WHERE name = 'rescore-user' AND singleton_key = $1`,
    [user.uuid],
  );
  expect(rows).toHaveLength(jobs);
});

describe('data that affects another day', () => {
  const hourly = (from: string, hours: number, bpm: number) => ({
    metric: 'heart_rate',
    start: from,
    interval_seconds: 60,
    values: Array.from({ length: hours * 60 }, () => bpm),
  });

  /** Two days with a heart rate of 70 all day, and 150 from 23:30 to 00:30. */
  async function nightRunner(): Promise<PhoneUser> {
    const user = await createPhoneUser(app, { timezone: 'UTC', profile: { max_heart_rate: 190 } });
    await deliver(user, watch, {
      series: [
        hourly('2026-03-05T00:00:00Z', 23.5, 70),
        hourly('2026-03-05T23:30:00Z', 1, 150),
        hourly('2026-03-06T00:30:00Z', 23.5, 70),
      ],
    });
    await scoreThrough(app);
    return user;
  }

  test('a late workout over midnight takes its minutes from the next day', async () => {
    const user = await nightRunner();
    const run = {
      id: 'run',
      sport_type: 'running',
      start: '2026-03-05T23:30:00Z',
      end: '2026-03-06T00:30:00Z',
      values: { heart_rate_avg: 150 },
    };
    const changed = await changesBy(user, async () => {
      await deliver(user, watch, { workouts: [run] });
    });
    expect(datesOf(changed, 'strain_score')).toEqual(['2026-03-05', '2026-03-06']);
  });

  test('samples count even if the day has a reported total', async () => {
    const user = await createPhoneUser(app, { timezone: 'UTC' });
    await deliver(user, watch, {
      series: [0, 1, 2, 3].map((at) => hourly(`2026-03-0${at + 2}T06:00:00Z`, 12, 70 + at)),
      daily: [{ metric: 'steps', date: '2026-03-05', value: 14_400 }],
    });
    await scoreThrough(app);
    const walk = {
      metric: 'steps',
      start: '2026-03-05T09:00:00Z',
      interval_seconds: 300,
      values: Array(24).fill(600),
    };
    const before = await readStoredScores(app, user.uuid);
    await changesBy(user, () => deliver(user, watch, { series: [walk] }));
    const after = await readStoredScores(app, user.uuid);
    expect(after.facts['2026-03-05']).not.toBe(before.facts['2026-03-05']);
  });
});

test('repeated profile changes leave no stale days behind', async () => {
  const user = await wearer();
  const daysOf = async () =>
    (await app.admin.query('SELECT count(*)::int AS n FROM score_days WHERE user_id = $1', [user.uuid]))
      .rows[0].n;
  const before = await daysOf();
  for (const weight_kg of [61, 62, 63]) {
    await app.request('PATCH', `/v1/users/${user.id}`, { body: { profile: { weight_kg } } });
    await rescoreUser(app.ctx, user.uuid);
    await app.moveClock(Date.parse('2026-03-12T12:00:00Z') + (weight_kg - 60) * 3 * hourMs - Date.now());
    await scoreThrough(app);
  }
  expect(await daysOf()).toBe(before);
});
