import { setTimeout as sleep } from 'node:timers/promises';
import { parseDay } from '@tributary/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliverLived } from '../test/data/lived-days.ts';
import { scoreThrough } from '../test/data/score-through.ts';
import { datesFrom, nightOf } from '../test/data/scored-user.ts';
import { differencesBetween, readStoredScores, scoreFromScratch } from '../test/data/stored-scores.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { createPhoneUser, type PhoneUser } from '../test/data/uploads.ts';
import { runScoring } from './compute-scores.ts';

const dates = datesFrom('2026-03-01', 5);
const device = { id: 'watch', kind: 'watch', provider: 'apple_health' };
const nowMs = Date.parse('2026-03-06T08:00:00Z');

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => app.moveClock(nowMs - Date.now()));

const minuteMs = 60_000;
const passTo = (afterMs: number) => app.moveClock(nowMs + afterMs - Date.now());

const deliver = (user: PhoneUser, dated: readonly string[]) =>
  deliverLived(app, user.id, [{ device, content: { sleep: dated.map(nightOf) } }]);
const datesOf = async ({ uuid }: PhoneUser) =>
  Object.keys((await readStoredScores(app, uuid)).scores).flatMap((key) =>
    key.startsWith('sleep_score') ? [key.split(' ')[1]] : [],
  );
const failures = async () => {
  const { values } = await app.ctx.metrics.jobFailures.get();
  return values.find(({ labels }) => labels.queue === 'scores')?.value ?? 0;
};

test('does not delay others when one user cannot be scored, and retries that user later', async () => {
  const users: PhoneUser[] = [];
  for (let at = 0; at < 25; at += 1) {
    const user = await createPhoneUser(app, { timezone: 'UTC' });
    await deliver(user, dates);
    users.push(user);
  }
  await scoreThrough(app);
  const broken = users[7]!;
  const storedDays = await app.admin.query('SELECT day, facts FROM score_days WHERE user_id = $1', [
    broken.uuid,
  ]);
  await app.admin.query(`UPDATE score_days SET facts = '\\xff', norms = NULL WHERE user_id = $1`, [
    broken.uuid,
  ]);

  const today = '2026-03-06';
  for (const user of users) await deliver(user, [today]);
  await passTo(6 * minuteMs);
  const before = await failures();
  await using _scoring = runScoring(app.ctx);
  const others = users.filter((user) => user !== broken);
  await expect
    .poll(
      async () =>
        (await Promise.all(others.map(datesOf))).filter((scoredDates) => scoredDates.includes(today)).length,
      {
        timeout: 15_000,
      },
    )
    .toBe(24);
  expect(await datesOf(broken)).toEqual(dates);
  expect(await failures()).toBeGreaterThan(before);
  const waiting = await app.admin.query(
    `SELECT due_at > tributary_now() + interval '30 seconds' AS later FROM stale_scores WHERE user_id = $1 AND NOT isempty(days)`,
    [broken.uuid],
  );
  expect(waiting.rows).toEqual([{ later: true }]);

  for (const { day, facts } of storedDays.rows)
    await app.admin.query('UPDATE score_days SET facts = $3 WHERE user_id = $1 AND day = $2', [
      broken.uuid,
      day,
      facts,
    ]);
  await passTo(8 * minuteMs);
  await expect.poll(() => datesOf(broken), { timeout: 5_000 }).toEqual([...dates, today]);
});

test('scores a burst of one hundred uploads at most twice', async () => {
  const runs = async () => (await app.ctx.metrics.scoreRuns.get()).values[0]?.value ?? 0;
  const user = await createPhoneUser(app, { timezone: 'UTC', profile: { weight_kg: 60 } });
  const before = await runs();
  {
    await using _scoring = runScoring(app.ctx);
    await deliver(user, dates);
    for (let at = 0; at < 100; at += 10) {
      const ten = Array.from({ length: 10 }, (_, index) => ({
        device,
        content: { daily: [{ metric: 'active_calories', date: dates[index % 5], value: 300 + at + index }] },
      }));
      await deliverLived(app, user.id, ten);
    }
    const status = async () =>
      (await app.admin.query('SELECT score_status FROM users WHERE id = $1', [user.uuid])).rows[0]
        .score_status;
    await expect.poll(status, { timeout: 5_000 }).toBe('ready');
    expect((await runs()) - before).toBe(1);
    for (let minutes = 4; minutes <= 20; minutes += 4) {
      await passTo(minutes * minuteMs);
      await sleep(600); // longer than the poll interval of the worker
    }
    expect((await runs()) - before).toBeLessThanOrEqual(2);
  }
  // Scores that the second run could not publish yet follow.
  await passTo(150 * minuteMs);
  await scoreThrough(app);
  const shown = await readStoredScores(app, user.uuid);
  expect(shown.scores).toHaveProperty(`strain_score ${dates[4]}`);
  const range = { from: parseDay(dates[0]!)!, to: parseDay(dates[4]!)! };
  expect(differencesBetween(await scoreFromScratch(app, user.uuid, range), shown)).toEqual([]);
});
