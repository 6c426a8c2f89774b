import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrateAll } from '../migrate.ts';
import { inTransaction } from '../store/database/database.ts';
import { asTenant, type Tenant } from '../store/database/tenant.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { createBoss } from '../queue/boss.ts';
import { processJobs } from './process-jobs.ts';

let app: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  app = await startTestApp();
  tenant = { accountId: app.account.uuid, environment: 'live' };
});
afterAll(() => app[Symbol.asyncDispose]());

const jobOf = (userId: string) => ({ key: userId, data: { userId } });
const jobsOf = async (userId: string): Promise<string[]> =>
  (
    await app.admin.query(`SELECT state FROM pgboss.job WHERE singleton_key = $1 ORDER BY created_on`, [
      userId,
    ])
  ).rows.map(({ state }) => state);

describe('transactional enqueueing', () => {
  test('makes a job visible with the commit, and not before', async () => {
    const userId = randomUUID();
    await asTenant(app.ctx.db, tenant, async (tx) => {
      await app.ctx.jobs.enqueue(tx, 'recut-user', jobOf(userId));
      expect(await jobsOf(userId)).toEqual([]);
    });
    expect(await jobsOf(userId)).toEqual(['created']);
  });

  test('enqueues no job when the transaction is rolled back', async () => {
    const userId = randomUUID();
    const change = asTenant(app.ctx.db, tenant, async (tx) => {
      await app.ctx.jobs.enqueue(tx, 'recut-user', jobOf(userId));
      throw new Error('changed my mind');
    });
    await expect(change).rejects.toThrow('changed my mind');
    expect(await jobsOf(userId)).toEqual([]);
  });

  test('shares one waiting job among the changes of one user, but not among users', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const users = Array.from({ length: 10 }, (_, at) => (at === 4 ? other : one));
    await Promise.all(
      users.map((userId) =>
        asTenant(app.ctx.db, tenant, (tx) => app.ctx.jobs.enqueue(tx, 'recut-user', jobOf(userId))),
      ),
    );
    expect([await jobsOf(one), await jobsOf(other)]).toEqual([['created'], ['created']]);
  });

  test('lets the service role insert jobs but not delete them', async () => {
    await expect(app.ctx.db.query('DELETE FROM pgboss.job_common')).rejects.toThrow(/permission denied/);
    await expect(app.ctx.db.query(`UPDATE pgboss.queue SET retry_limit = 0`)).rejects.toThrow(
      /permission denied/,
    );
  });
});

describe('running jobs', () => {
  let boss: PgBoss;
  beforeEach(async () => {
    await app.admin.query('DELETE FROM pgboss.job');
    boss = createBoss(app.ctx.operator);
    await boss.start();
  });
  afterEach(() => boss.stop({ graceful: true, timeout: 2_000 }));

  const enqueue = (userId: string) =>
    inTransaction(app.ctx.operator, (tx) => app.ctx.jobs.enqueue(tx, 'recut-user', jobOf(userId)));

  test('starts a job within one second of its commit', async () => {
    const started: number[] = [];
    await processJobs(
      app.ctx,
      boss,
      'recut-user',
      { atOnce: 1 },
      async () => void started.push(performance.now()),
    );
    const waits: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await enqueue(randomUUID());
      const committedAt = performance.now();
      await expect.poll(() => started.length, { interval: 10, timeout: 5_000 }).toBe(round + 1);
      waits.push(started.at(-1)! - committedAt);
    }
    expect(Math.max(...waits)).toBeLessThan(1_000);
  });

  test('follows every committed change with a run that started after it', async () => {
    const userId = randomUUID();
    const runs: { began: number; ended: number }[] = [];
    await processJobs(app.ctx, boss, 'recut-user', { atOnce: 2 }, async () => {
      const began = performance.now();
      await sleep(400);
      runs.push({ began, ended: performance.now() });
    });
    const commits: number[] = [];
    for (let at = 0; at < 20; at += 1) {
      await inTransaction(app.ctx.operator, async (tx) => {
        await app.ctx.jobs.enqueue(tx, 'recut-user', jobOf(userId));
        await sleep(at % 3 === 0 ? 150 : 5); // longer than a poll takes to find the waiting job
      });
      commits.push(performance.now());
    }
    const lastRun = () => runs.at(-1)?.began ?? 0;
    await expect.poll(lastRun, { timeout: 10_000 }).toBeGreaterThan(commits.at(-1)!);
    for (const [at, run] of runs.entries())
      if (at > 0) expect(run.began).toBeGreaterThan(runs[at - 1]!.ended);
    expect(runs.length).toBeLessThan(8);
  });

  test('does not start a waiting job before the change that joined it has committed', async () => {
    const userId = randomUUID();
    let runs = 0;
    await enqueue(userId);
    await inTransaction(app.ctx.operator, async (tx) => {
      await app.ctx.jobs.enqueue(tx, 'recut-user', jobOf(userId));
      await processJobs(app.ctx, boss, 'recut-user', { atOnce: 1 }, async () => void (runs += 1));
      await sleep(1_200);
      expect(runs).toBe(0);
    });
    await expect.poll(() => runs, { timeout: 5_000 }).toBe(1);
  });

  test('does not delay other users while the job of one user runs', async () => {
    const [slow, quick] = [randomUUID(), randomUUID()];
    const done: string[] = [];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await processJobs(app.ctx, boss, 'recut-user', { atOnce: 2 }, async ({ userId }) => {
      if (userId === slow) await released;
      done.push(userId);
    });
    await enqueue(slow);
    await expect.poll(() => jobsOf(slow)).toEqual(['active']);
    await enqueue(slow);
    await enqueue(quick);
    await expect.poll(() => done, { timeout: 5_000 }).toEqual([quick]);
    release();
    await expect.poll(() => done, { timeout: 5_000 }).toEqual([quick, slow, slow]);
  });

  test('retries a failed job with backoff, and stores no error text in its row', async () => {
    const userId = randomUUID();
    const attempts: number[] = [];
    await processJobs(app.ctx, boss, 'recut-user', { atOnce: 1 }, async () => {
      attempts.push(performance.now());
      if (attempts.length < 3) throw new TypeError('heart rate 61 is not welcome');
    });
    await enqueue(userId);
    await expect.poll(() => jobsOf(userId), { timeout: 15_000 }).toEqual(['completed']);
    expect(attempts).toHaveLength(3);
    expect(attempts[1]! - attempts[0]!).toBeGreaterThan(900);
    expect(attempts[2]! - attempts[1]!).toBeGreaterThan(1_900);
    const { rows } = await app.admin.query(`SELECT job::text FROM pgboss.job WHERE singleton_key = $1`, [
      userId,
    ]);
    expect(rows[0].job).not.toContain('heart rate');
    const counted = await app.ctx.metrics.jobFailures.get();
    expect(counted.values.find(({ labels }) => labels['queue'] === 'recut-user')?.value).toBe(2);
  });

  test('deletes the rows of finished jobs after six hours', async () => {
    const userId = randomUUID();
    await processJobs(app.ctx, boss, 'recut-user', { atOnce: 1 }, async () => {});
    await enqueue(userId);
    await expect.poll(() => jobsOf(userId), { timeout: 5_000 }).toEqual(['completed']);
    const sweepAfter = async (age: string) => {
      await app.admin.query(`UPDATE pgboss.job SET completed_on = now() - $1::interval`, [age]);
      await app.admin.query(`UPDATE pgboss.queue SET maintain_on = NULL`);
      await boss.supervise('recut-user');
      return jobsOf(userId);
    };
    expect(await sweepAfter('5 hours')).toEqual(['completed']);
    expect(await sweepAfter('7 hours')).toEqual([]);
  });
});

test('updates the options of an existing queue to this version', async () => {
  await app.admin.query(
    `UPDATE pgboss.queue SET retry_limit = 2, heartbeat_seconds = NULL, deletion_seconds = 604800 WHERE name = 'erase-user'`,
  );
  await migrateAll(app.ctx.config);
  const { rows } = await app.admin.query(`SELECT * FROM pgboss.queue WHERE name = 'erase-user'`);
  expect(rows[0]).toMatchObject({ policy: 'stately', retry_limit: 1_000_000, heartbeat_seconds: 10 });
  expect(rows[0].deletion_seconds).toBe(6 * 3_600);
});
