import { findMetric, type Method } from '@tributary/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../store/database/database.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../test/data/uploads.ts';
import { runJobs } from './run-jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => void (await app.admin.query('DELETE FROM pgboss.job')));

async function walker(): Promise<PhoneUser> {
  const user = await createPhoneUser(app);
  const steps = (value: number) => ({ daily: [{ metric: 'steps', date: '2026-02-27', value }] });
  await user.upload({ id: 'watch' }, steps(4_000));
  const band = { id: 'band', kind: 'band', provider: 'health_connect' };
  await user.upload(band, steps(6_000));
  await workThrough(app);
  return user;
}

async function setSteps(user: PhoneUser, method: Method): Promise<string> {
  const body = { metrics: { steps: { method } } };
  const response = await app.request('PATCH', `/v1/users/${user.id}/consolidation`, { body });
  expect(response.status).toBe(202);
  return response.body.status;
}

async function unfinished({ uuid }: PhoneUser): Promise<string[]> {
  const { rows } = await app.admin.query(
    `SELECT state::text FROM pgboss.job WHERE singleton_key = $1 AND state < 'completed'`,
    [uuid],
  );
  return rows.map(({ state }) => state);
}

const rebuilds = async () => (await app.ctx.metrics.reconsolidations.get()).values[0]!.value;
const expectRebuildCount = async (count: number) => {
  await expect.poll(rebuilds, { timeout: 10_000, interval: 20 }).toBe(count);
  await sleep(2_500); // longer than one more rebuild would wait and be found
  expect(await rebuilds()).toBe(count);
};
const methods = ['sum', 'avg', 'priority', 'merge', 'max'] as const;

// @contract consolidation-update/effects: Changes close together lead to one rebuild
test('runs one rebuild for ten changes within a second, with the last settings', async () => {
  await using _jobs = await runJobs(app.ctx);
  const user = await walker();
  const before = await rebuilds();
  const start = performance.now();
  const changed: string[] = [];
  for (let at = 0; at < 10; at += 1) {
    await sleep(Math.max(1, start + at * 60 - performance.now()));
    changed.push(await setSteps(user, at === 9 ? 'sum' : methods[at % 5]!));
  }
  expect(performance.now() - start).toBeLessThan(1_100);
  expect(new Set(changed)).toEqual(new Set(['reconsolidating']));
  await expectRebuildCount(before + 1);
  const events = await app.admin.query(
    `SELECT id FROM events WHERE user_id = $1 AND type = 'subject.synced'
     UNION SELECT id FROM feed WHERE user_id = $1 AND type = 'subject.synced'`,
    [user.uuid],
  );
  expect(events.rowCount).toBe(1);
  const { rows } = await app.admin.query(
    `SELECT printed FROM canonical_months WHERE user_id = $1 AND metric_no = $2 AND month = $3`,
    [user.uuid, findMetric('steps')!.no, (2026 - 1970) * 12 + 1],
  );
  expect(rows[0].printed.split(',')[26]).toBe('10000');
}, 30_000);

// @contract consolidation-update/effects: Continuous changes do not postpone the rebuild
test('does not postpone the rebuild when changes keep arriving', async () => {
  await using _jobs = await runJobs(app.ctx);
  const user = await walker();
  const before = await rebuilds();
  const start = performance.now();
  for (let at = 0; (await rebuilds()) === before; at += 1) {
    expect(performance.now() - start).toBeLessThan(4_000);
    await setSteps(user, methods[at % 5]!);
    await sleep(50);
  }
  await expect.poll(() => unfinished(user), { timeout: 5_000 }).toEqual([]);
}, 30_000);

// @contract consolidation-update/effects: A change during a rebuild leads to one more
test('runs one more rebuild after a change during a rebuild', async () => {
  await using _jobs = await runJobs(app.ctx);
  const user = await walker();
  const before = await rebuilds();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const lockHolder = inTransaction(app.ctx.operator, async (tx) => {
    await tx.query({ text: 'SELECT lock_user($1)', values: [user.uuid] });
    await released;
  });
  await setSteps(user, 'sum');
  await expect.poll(() => unfinished(user), { timeout: 5_000 }).toEqual(['active']);
  expect(await setSteps(user, 'sum')).toBe('reconsolidating');
  for (const method of ['avg', 'priority'] as const) await setSteps(user, method);
  expect((await unfinished(user)).sort()).toEqual(['active', 'created']);
  release();
  await lockHolder;
  await expectRebuildCount(before + 2);
  expect(await setSteps(user, 'priority')).toBe('unchanged');
}, 30_000);
