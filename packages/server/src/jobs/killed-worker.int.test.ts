import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { deleteUser } from '../services/users/delete-user.ts';
import type { Tenant } from '../store/database/tenant.ts';
import { countRows, plantUser } from '../test/data/plant-user.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { runJobs } from './run-jobs.ts';
import { testActing } from '../test/acting.ts';

const program = fileURLToPath(new URL('../main.ts', import.meta.url));
let app: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  app = await startTestApp();
  tenant = { accountId: app.account.uuid, environment: 'live' };
});
afterAll(() => app[Symbol.asyncDispose]());

/** Deletes a user whose erasure pauses for this long after half of the tables are empty. */
async function deleteSlowly(seconds: number): Promise<string> {
  await app.admin.query(`
    CREATE OR REPLACE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END';
    CREATE OR REPLACE TRIGGER dawdle BEFORE DELETE ON device_days FOR EACH STATEMENT EXECUTE FUNCTION dawdle()`);
  const userId = await plantUser(app.admin, tenant);
  await deleteUser(app.ctx, testActing(tenant), userId);
  return userId;
}

const asleep = async () =>
  (
    await app.admin.query(
      `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
    )
  ).rowCount;

const jobOf = async (userId: string) =>
  (await app.admin.query(`SELECT state, retry_count FROM pgboss.job WHERE singleton_key = $1`, [userId]))
    .rows[0];

test('resumes the erasure of a killed worker on another node within seconds', async () => {
  const worker = spawn(process.execPath, [program, 'jobs'], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      TRIBUTARY_ENV: 'test',
      DATABASE_URL: app.ctx.config.secrets.database.service.url.read(),
      NATS_URL: inject('engines').natsUrl,
      METRICS_PORT: '0',
      ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    },
  });
  const ended = once(worker, 'exit');
  const userId = await deleteSlowly(3);
  // A process takes one second to start, and ten on a busy machine.
  await expect.poll(asleep, { timeout: 90_000, interval: 50 }).toBe(1);

  await using _other = await runJobs(app.ctx);
  worker.kill('SIGKILL');
  const killedAt = performance.now();
  await ended;
  const half = await countRows(app.admin, userId);
  expect([half['raw_batches'], half['device_days'], half['devices']]).toEqual([0, 1, 1]);
  const attempts = async () => (await jobOf(userId)).retry_count;
  await expect.poll(attempts, { timeout: 40_000, interval: 50 }).toBe(1);
  // Takes seconds on an idle machine, and minutes without heartbeats.
  expect(performance.now() - killedAt).toBeLessThan(30_000);
  await app.admin.query(`DROP TRIGGER dawdle ON device_days`);

  const erasure = async () =>
    (await app.admin.query('SELECT removed, finished_at FROM erasures WHERE user_id = $1', [userId])).rows[0];
  await expect
    .poll(async () => (await erasure()).finished_at, { timeout: 20_000, interval: 50 })
    .not.toBeNull();
  // Events may have been sequenced in the meantime.
  const { events, feed, ...removed } = (await erasure()).removed;
  expect(events + feed).toBe(2);
  expect(new Set(Object.values(removed))).toEqual(new Set([1]));
  expect(new Set(Object.values({ ...(await countRows(app.admin, userId)), events: 0, feed: 0 }))).toEqual(
    new Set([0]),
  );
}, 240_000);

test('returns a long job to the queue and stops when asked to', async () => {
  const jobs = await runJobs(app.ctx);
  const userId = await deleteSlowly(20);
  await expect.poll(asleep, { timeout: 15_000 }).toBe(1);
  expect((await jobOf(userId)).state).toBe('active');
  const stopRequestedAt = performance.now();
  await jobs[Symbol.asyncDispose]();
  expect(performance.now() - stopRequestedAt).toBeLessThan(8_000);
  expect((await jobOf(userId)).state).toBe('retry');
});
