import { findMetric, formatDay, parseDay } from '@tributary/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliverLived } from '../../test/data/lived-days.ts';
import { scoreDueUsers, scoreThrough } from '../../test/data/score-through.ts';
import { createScoredUser, datesFrom, nightOf } from '../../test/data/scored-user.ts';
import { changedBetween, readStoredScores } from '../../test/data/stored-scores.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const today = '2026-03-10';
const week = datesFrom('2026-03-03', 7);
const watch = { id: 'watch', kind: 'watch', provider: 'apple_health' };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

let movedMs = 0;
beforeEach(async () => {
  await app.admin.query('DELETE FROM stale_scores');
  await app.admin.query('DELETE FROM events');
  await goTo('08:00');
});

/** Moves the clock to a time of today in UTC. */
async function goTo(time: string): Promise<void> {
  movedMs = Date.parse(`${today}T${time}:00Z`) - Date.now();
  await app.moveClock(movedMs);
}

async function passTime(ms: number): Promise<void> {
  movedMs += ms;
  await app.moveClock(movedMs);
}

const scoreDue = (limit = 10) => scoreDueUsers(app.ctx, limit);
const deliver = (user: PhoneUser, content: object) =>
  deliverLived(app, user.id, [{ device: watch, content }]);
const daily = (metric: string, value: number, date = today) => ({ daily: [{ metric, date, value }] });
const newUser = () => createScoredUser(app, week, { timezone: 'UTC' });

async function rowOf({ uuid }: PhoneUser) {
  const { rows } = await app.admin.query(
    'SELECT score_status AS status, last_score_at AS "lastScoreAt", data_version::int AS version FROM users WHERE id = $1',
    [uuid],
  );
  return rows[0] as { status: string; lastScoreAt: Date | null; version: number };
}

/** Returns and deletes the score events of a user. */
async function takeScoreEvents({ uuid }: PhoneUser) {
  const { rows } = await app.admin.query(
    `DELETE FROM events WHERE user_id = $1 AND type = 'score.updated' RETURNING metrics, data`,
    [uuid],
  );
  return rows as { metrics: number[]; data: Record<string, unknown> }[];
}

const numbersOf = (...types: string[]) => types.map((type) => findMetric(type)!.no).sort((a, b) => a - b);
const runs = async () => (await app.ctx.metrics.scoreRuns.get()).values[0]?.value ?? 0;

describe('the time of scoring', () => {
  test('computes a first score within a second', async () => {
    const user = await createPhoneUser(app, { timezone: 'UTC' });
    expect(await rowOf(user)).toMatchObject({ status: 'pending', lastScoreAt: null });
    await user.upload(watch, { sleep: [nightOf(today)] });
    await workThrough(app);
    expect((await rowOf(user)).status).toBe('computing');
    await passTime(250);
    expect(await scoreDue()).toBe(1);
    const { status, lastScoreAt } = await rowOf(user);
    expect(status).toBe('ready');
    expect(Math.abs(lastScoreAt!.getTime() - app.ctx.clock.now())).toBeLessThan(5_000);
  });

  test('leaves a user pending if there is too little data for any score', async () => {
    const user = await createPhoneUser(app, { timezone: 'UTC' });
    await user.upload(watch, daily('resting_heart_rate', 55));
    await workThrough(app);
    expect((await rowOf(user)).status).toBe('computing');
    await scoreThrough(app);
    expect(await rowOf(user)).toMatchObject({ status: 'pending', lastScoreAt: null });
    expect(await takeScoreEvents(user)).toEqual([]);
  });

  test('waits five minutes from the first change for more', async () => {
    const user = await newUser();
    await app.admin.query('DELETE FROM stale_scores');
    await deliver(user, daily('resting_heart_rate', 57));
    expect(await scoreDue()).toBe(0);
    await passTime(4 * minuteMs);
    await deliver(user, { sleep: [nightOf(today)] });
    await passTime(50_000);
    expect(await scoreDue()).toBe(0);
    await passTime(15_000);
    expect(await scoreDue()).toBe(1);
    expect(await scoreDue()).toBe(0);
    expect((await readStoredScores(app, user.uuid)).scores).toHaveProperty(`recovery_score ${today}`);
  });

  test('never scores one change twice with several workers', async () => {
    const users = await Promise.all(
      Array.from({ length: 12 }, () => createPhoneUser(app, { timezone: 'UTC' })),
    );
    for (const user of users) await user.upload(watch, { sleep: week.map(nightOf) });
    await workThrough(app);
    await passTime(minuteMs);
    const before = await runs();
    const counts = await Promise.all(Array.from({ length: 6 }, () => scoreDue(5)));
    for (let more = 1; more > 0;) counts.push((more = await scoreDue()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(12);
    expect((await runs()) - before).toBe(12);
    for (const user of users) expect(await takeScoreEvents(user)).toHaveLength(1);
  });
});

describe('the time of publication', () => {
  /** The published strain of today, and since when. */
  async function strainOf({ uuid }: PhoneUser) {
    return (await readStoredScores(app, uuid)).scores[`strain_score ${today}`];
  }

  test('publishes a score at most every two hours and eight times a day', async () => {
    const user = await newUser();
    await goTo('00:00');
    const shown = new Set<number>();
    for (let at = 0; at < 46; at += 1) {
      await passTime(30 * minuteMs);
      if (at % 2 === 0) await deliver(user, daily('active_calories', 200 + 40 * at));
      await scoreThrough(app);
      shown.add((await strainOf(user))!.publishedMs);
    }
    const times = [...shown];
    expect(times).toHaveLength(8);
    for (let at = 1; at < times.length; at += 1)
      expect(times[at]! - times[at - 1]!).toBeGreaterThanOrEqual(2 * hourMs);
    // A score that was held back is published on the next day.
    const last = await strainOf(user);
    await passTime(hourMs);
    await scoreThrough(app);
    expect((await strainOf(user))!.tenths).toBeGreaterThan(last!.tenths);
  });

  test('publishes a held score when it is due, without new data', async () => {
    const user = await newUser();
    await deliver(user, daily('active_calories', 300));
    await scoreThrough(app);
    const first = await strainOf(user);
    await passTime(30 * minuteMs);
    await deliver(user, daily('active_calories', 600));
    await scoreThrough(app);
    expect(await strainOf(user)).toEqual(first);
    await passTime(89 * minuteMs);
    expect(await scoreDue()).toBe(0);
    await passTime(2 * minuteMs);
    expect(await scoreDue()).toBe(1);
    expect((await strainOf(user))!.tenths).toBeGreaterThan(first!.tenths);
  });

  test('publishes a changed main sleep immediately', async () => {
    const user = await newUser();
    const sleepOf = async () => (await readStoredScores(app, user.uuid)).scores[`sleep_score ${today}`];
    await deliver(user, { sleep: [nightOf(today)] });
    await scoreThrough(app);
    const first = await sleepOf();
    await passTime(6 * minuteMs);
    const night = nightOf(today);
    await deliver(user, {
      sleep: [{ ...night, minutes: { ...night.minutes, asleep: 400, light: 210, awake: 80 } }],
    });
    await scoreThrough(app);
    const second = await sleepOf();
    expect(second!.tenths).toBeLessThan(first!.tenths);
    expect(second!.publishedMs).toBeGreaterThan(first!.publishedMs);
  });

  test('removes a value that no longer exists immediately', async () => {
    const user = await newUser();
    await deliver(user, { sleep: [nightOf(today)] });
    await scoreThrough(app);
    await takeScoreEvents(user);
    await deliver(user, { deletions: [{ kind: 'sleep', id: today }] });
    await scoreThrough(app);
    const { scores } = await readStoredScores(app, user.uuid);
    expect(Object.keys(scores).filter((key) => key.endsWith(today))).toEqual([]);
    const [event] = await takeScoreEvents(user);
    expect(event!.metrics).toEqual(expect.arrayContaining(numbersOf('sleep_score', 'energy_reserve_score')));
  });

  test('closes the reserve of a day on its own, a day after waking', async () => {
    const user = await newUser();
    await deliver(user, { sleep: [nightOf(today)] });
    await scoreThrough(app);
    const reserveOf = async () =>
      (await readStoredScores(app, user.uuid)).scores[`energy_reserve_score ${today}`]!.tenths;
    await goTo('11:00');
    await scoreThrough(app);
    const morning = await reserveOf();
    // She woke at six.
    await passTime(18.9 * hourMs);
    expect(await scoreDue()).toBe(0);
    await passTime(0.2 * hourMs);
    expect(await scoreDue()).toBe(1);
    const closed = await reserveOf();
    expect(closed).toBeLessThan(morning / 2);
    await passTime(24 * hourMs);
    await scoreThrough(app);
    expect(await reserveOf()).toBe(closed);
  });
});

describe('score events', () => {
  /** Scores the week again without new data. */
  async function scoreAgain({ uuid }: PhoneUser): Promise<void> {
    await app.admin.query(
      `INSERT INTO stale_scores (user_id, due_at, days, again) VALUES ($1, now(), '{}', $2)
       ON CONFLICT (user_id) DO UPDATE SET again = excluded.again`,
      [uuid, `{[${parseDay(week[0]!)},${parseDay(week[6]!)! + 1})}`],
    );
    await scoreThrough(app);
  }

  test('contain the scores whose values changed and the range of days', async () => {
    const user = await newUser();
    expect(await takeScoreEvents(user)).toEqual([
      {
        metrics: numbersOf(
          'recovery_score',
          'sleep_score',
          'strain_score',
          'stress_score',
          'energy_reserve_score',
        ),
        data: { change: 'updated', first_date: week[0], last_date: week[6], backfill: false },
      },
    ]);
    await deliver(user, daily('active_calories', 900, week[2]));
    await passTime(3 * hourMs);
    await scoreThrough(app);
    const [event, ...others] = await takeScoreEvents(user);
    expect(others).toEqual([]);
    expect(event!.metrics).toEqual(numbersOf('strain_score', 'energy_reserve_score', 'recovery_score'));
    expect(event!.data).toMatchObject({ first_date: week[2] });
  });

  test('are a backfill if all changes are days ago', async () => {
    const user = await createScoredUser(app, datesFrom('2026-02-10', 3), { timezone: 'UTC' });
    expect((await takeScoreEvents(user)).map(({ data }) => data['backfill'])).toEqual([true]);
  });

  test('are not sent if nothing changed, and ETags stay the same', async () => {
    const user = await newUser();
    await takeScoreEvents(user);
    const before = await rowOf(user);
    const stored = await readStoredScores(app, user.uuid);
    await passTime(3 * hourMs);
    await scoreAgain(user);
    expect(await takeScoreEvents(user)).toEqual([]);
    expect(await readStoredScores(app, user.uuid)).toEqual(stored);
    expect(await rowOf(user)).toEqual(before);
  });

  test('are not sent if only factors changed, but the ETag changes', async () => {
    const user = await newUser();
    await takeScoreEvents(user);
    const before = await rowOf(user);
    const stored = await readStoredScores(app, user.uuid);
    await app.admin.query(
      `UPDATE score_days SET scores = jsonb_set(scores, '{sleep_score,1,0}', '["baseline", 740]') WHERE user_id = $1 AND day = $2`,
      [user.uuid, week[6]],
    );
    await passTime(3 * hourMs);
    await scoreAgain(user);
    expect(await takeScoreEvents(user)).toEqual([]);
    const after = await readStoredScores(app, user.uuid);
    expect(changedBetween(stored, after)).toEqual([]);
    const key = `sleep_score ${week[6]}`;
    expect(after.scores[key]!.publishedMs).toBeGreaterThan(stored.scores[key]!.publishedMs);
    expect((await rowOf(user)).version).toBeGreaterThan(before.version);
    expect((await rowOf(user)).lastScoreAt).toEqual(before.lastScoreAt);
  });

  test('come with a new ETag and a new time', async () => {
    const user = await newUser();
    const read = () =>
      app.request('GET', `/v1/users/${user.id}/scores/history?start_date=${week[0]}&end_date=${today}`);
    const before = await rowOf(user);
    const first = (await read()).headers.get('etag');
    expect((await read()).headers.get('etag')).toBe(first);
    await deliver(user, { sleep: [nightOf(today)] });
    const delivered = (await read()).headers.get('etag');
    await passTime(minuteMs);
    await scoreThrough(app);
    const after = await rowOf(user);
    expect((await read()).headers.get('etag')).not.toBe(delivered);
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.lastScoreAt!.getTime()).toBeGreaterThan(before.lastScoreAt!.getTime());
    const { body } = await app.request('GET', `/v1/users/${user.id}`);
    expect(body.data).toMatchObject({
      score_status: 'ready',
      last_score_at: after.lastScoreAt!.toISOString(),
    });
  });
});

test('scores a long history in pieces with the same result', async () => {
  await goTo('08:00');
  const user = await createPhoneUser(app, { timezone: 'UTC' });
  const dates = datesFrom(formatDay(parseDay(today)! - 420), 420);
  for (let at = 0; at < dates.length; at += 100) {
    const some = dates.slice(at, at + 100);
    await user.upload(watch, {
      sleep: some.map(nightOf),
      daily: some.map((date, index) => ({ metric: 'resting_heart_rate', date, value: 50 + (index % 7) })),
    });
  }
  await workThrough(app);
  await scoreThrough(app);
  const { scores } = await readStoredScores(app, user.uuid);
  const count = (type: string) => Object.keys(scores).filter((key) => key.startsWith(type)).length;
  expect([count('sleep_score'), count('energy_reserve_score'), count('recovery_score')]).toEqual([
    420, 420, 417,
  ]);
  // The reserve carries over from one piece to the next.
  const broken = dates.slice(1).filter((date, at) => {
    const carriedOver = scores[`energy_reserve_score ${date}`]!.factors.find(
      ([name]) => name === 'carried_over',
    );
    return carriedOver![1] !== scores[`energy_reserve_score ${dates[at]}`]!.tenths;
  });
  expect(broken).toEqual([]);
});
