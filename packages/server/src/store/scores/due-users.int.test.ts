import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { noAccount } from '../uploads/pending-batches.ts';
import { findDueUsers } from './stale.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => app.admin.query('DELETE FROM stale_scores'));

/** Plants users of an account whose scores are due since some minutes, and returns their IDs, the one that is due first at the start. */
async function plant(accountId: string, count: number, minutesAgo: number): Promise<string[]> {
  const { rows } = await app.admin.query(
    `INSERT INTO stale_scores (user_id, account_id, due_at, days)
     SELECT gen_random_uuid(), $1, tributary_now() - $3 * interval '1 minute' + n * interval '1 microsecond', '{}'
     FROM generate_series(1, $2) AS n RETURNING user_id`,
    [accountId, count, minutesAgo],
  );
  return rows.map(({ user_id }) => user_id);
}

/** Finds and removes due users, as a worker does that scores them. */
async function take(limit: number, after: string) {
  const due = await findDueUsers(app.ctx.operator, limit, after);
  await app.admin.query('DELETE FROM stale_scores WHERE user_id = ANY ($1)', [due.userIds]);
  return due;
}

test('takes users in the order in which they became due while all fit', async () => {
  const users = [...(await plant(randomUUID(), 3, 9)), ...(await plant(randomUUID(), 3, 5))];
  expect((await take(20, noAccount)).userIds).toEqual(users);
});

test('finds a fresh user in the first take although another account has 5,000 that are due', async () => {
  await plant(randomUUID(), 5_000, 60);
  const [fresh] = await plant(randomUUID(), 1, 1);
  const { userIds } = await take(20, noAccount);
  expect(userIds).toContain(fresh);
  expect(userIds).toHaveLength(20);
});

test('finds the users of each of 300 accounts within a few takes, whatever other accounts have', async () => {
  for (let at = 0; at < 10; at += 1) await plant(randomUUID(), 500, 60);
  // Most accounts have users that are due later.
  for (let at = 0; at < 300; at += 1) await plant(randomUUID(), 1, -60);
  const fresh = (await Promise.all(Array.from({ length: 20 }, () => plant(randomUUID(), 1, 1)))).flat();
  const seenIds = new Set<string>();
  let after = noAccount;
  for (let takes = 0; takes < 8; takes += 1) {
    const { userIds, lastAccount } = await take(20, after);
    for (const id of userIds) seenIds.add(id);
    after = lastAccount;
  }
  expect(fresh.filter((id) => !seenIds.has(id))).toEqual([]);
});

test('finds users that have waited longest in every take, and those of an earlier version without an account', async () => {
  const [first] = await plant(noAccount, 50, 90);
  for (let at = 0; at < 30; at += 1) await plant(randomUUID(), 50, 60);
  const { userIds } = await take(20, noAccount);
  expect(userIds).toContain(first);
});

test('visits a limited number of accounts', async () => {
  await plant(randomUUID(), 30, 60);
  await app.admin.query(
    `INSERT INTO stale_scores (user_id, account_id, due_at, days)
     SELECT gen_random_uuid(), gen_random_uuid(), tributary_now() + interval '1 day', '{}' FROM generate_series(1, 10000)`,
  );
  await app.admin.query('ANALYZE stale_scores');
  const startedAt = performance.now();
  const { userIds, lastAccount } = await findDueUsers(app.ctx.operator, 20, noAccount);
  expect(userIds).toHaveLength(20);
  expect(lastAccount).not.toBe(noAccount);
  // 10,000 accounts would take tens of milliseconds; the bound is for a busy machine.
  expect(performance.now() - startedAt).toBeLessThan(500);
});
