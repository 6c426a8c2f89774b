import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId } from '../ids.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { createBoss, findJobLag } from '../queue/boss.ts';
import { schedules } from '../queue/queues.ts';
import { runJobs } from './run-jobs.ts';

let app: TestApp;
const lines: string[] = [];

beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'info' }, (line) => void lines.push(line));
});
afterAll(() => app[Symbol.asyncDispose]());

test('revokes or deletes expired credentials, as a role that owns no table', async () => {
  const day = 24 * 3_600_000;
  const { user_id } = (
    await app.request('POST', '/v1/auth/mobile-token', {
      body: {
        user_id: (await app.request('POST', '/v1/users', { body: { reference_id: 'x' } })).body.data.id,
      },
    })
  ).body;
  expect(user_id).toMatch(/^user_/);
  await app.moveClock(91 * day);
  await using _jobs = await runJobs(app.ctx);
  const boss = createBoss(app.ctx.operator);
  await boss.start();
  await boss.send(schedules.sweepCredentials, {});
  const state = async () => {
    const keys = await app.admin.query('SELECT count(*)::int AS n FROM api_keys WHERE revoked_at IS NULL');
    const tokens = await app.admin.query('SELECT count(*)::int AS n FROM mobile_tokens');
    return [keys.rows[0].n, tokens.rows[0].n];
  };
  await expect.poll(state, { timeout: 15_000 }).toEqual([0, 0]);
  await boss.stop({ graceful: false });
  // A key that the schedule revoked still reports that it expired.
  expect((await app.request('GET', '/v1/users')).body.error).toBe('token_expired');
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('erases a user within seconds of DELETE', async () => {
  await using _jobs = await runJobs(app.ctx);
  const key = (await app.createAccount()).liveKey;
  const { body } = await app.request('POST', '/v1/users', { key, body: { external_ref: 'short-lived' } });
  const userId = parseId('user', body.id)!;
  const left = async () => (await app.admin.query('SELECT FROM users WHERE id = $1', [userId])).rowCount;
  expect((await app.request('DELETE', `/v1/users/${body.id}`, { key })).status).toBe(202);
  await expect.poll(left, { timeout: 5_000 }).toBe(0);
  const { rows } = await app.admin.query(`SELECT data FROM pgboss.job WHERE singleton_key = $1`, [userId]);
  expect(rows).toEqual([{ data: { userId } }]);
  expect((await app.request('DELETE', `/v1/users/${body.id}`, { key })).status).toBe(404);
  const erased = lines.find((line) => line.includes('user erased'));
  expect(erased).toBeDefined();
  expect(erased).not.toContain(userId);
});

test('reports the age of the oldest due job as the lag of a queue', async () => {
  await app.admin.query(
    `INSERT INTO pgboss.job (name, start_after) VALUES ($1, now() - interval '90 seconds')`,
    [schedules.sweepCredentials],
  );
  const lag = await findJobLag(app.ctx.operator);
  expect(lag.get(schedules.sweepCredentials)).toBeGreaterThan(89);
});
