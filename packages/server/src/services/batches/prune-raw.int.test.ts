import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../store/database/database.ts';
import { lockUser } from '../../store/layers/rebuild.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough } from '../../test/data/uploads.ts';
import { rebuildUser } from '../layers/rebuild-user.ts';
import { pruneRaw } from './prune-raw.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RAW_RETENTION_DAYS: '100' });
});
afterAll(() => app[Symbol.asyncDispose]());

async function newUser(): Promise<string> {
  return (await createPhoneUser(app)).uuid;
}

/** A batch of the given age, with a receipt, a failed receipt, or none because it is still waiting. */
async function batch(
  userId: string,
  ageDays: number,
  receipt: 'processed' | 'failed' | 'none',
): Promise<string> {
  const batchId = randomUUID();
  await app.admin.query(
    `INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, payload)
     VALUES ($1, $2, tributary_now() - $3 * interval '1 day', now(), 0, 'x', 'x')`,
    [userId, batchId, ageDays],
  );
  if (receipt !== 'none')
    await app.admin.query(
      `INSERT INTO receipts (user_id, batch_id, processed_at, failed, counts) VALUES ($1, $2, now(), $3, '{}')`,
      [userId, batchId, receipt === 'failed'],
    );
  return batchId;
}

async function left(userId: string, table = 'raw_batches'): Promise<string[]> {
  const { rows } = await app.admin.query(`SELECT batch_id FROM ${table} WHERE user_id = $1`, [userId]);
  return rows.map(({ batch_id }) => batch_id);
}

async function completeForDays(userId: string): Promise<number | null> {
  const { rows } = await app.admin.query(
    `SELECT extract(epoch FROM tributary_now() - raw_complete_since)::float8 / 86400 AS days FROM users WHERE id = $1`,
    [userId],
  );
  return rows[0].days;
}

test('removes old processed batches with their receipts, and keeps everything else', async () => {
  const [user, young] = [await newUser(), await newUser()];
  await batch(user, 101, 'processed');
  await batch(user, 400, 'processed');
  const retainedIds = [
    await batch(user, 99, 'processed'),
    await batch(user, 200, 'failed'),
    await batch(user, 200, 'none'),
  ];
  const ofYoung = await batch(young, 3, 'processed');
  expect(await pruneRaw(app.ctx)).toEqual({ batches: 2 });
  expect((await left(user)).toSorted()).toEqual(retainedIds.toSorted());
  expect((await left(user, 'receipts')).toSorted()).toEqual(retainedIds.slice(0, 2).toSorted());
  expect(await left(young)).toEqual([ofYoung]);
  expect(await completeForDays(user)).toBeCloseTo(100, 3);
  expect(await completeForDays(young)).toBeNull();
  expect(await pruneRaw(app.ctx)).toEqual({ batches: 0 });
});

test('removes thousands of batches in pieces', async () => {
  const users = [await newUser(), await newUser()];
  for (const user of users) {
    await app.admin.query(
      `WITH made AS (
         INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, payload)
         SELECT $1, gen_random_uuid(), tributary_now() - interval '150 days', now(), 0, 'x', 'x' FROM generate_series(1, 1700)
         RETURNING user_id, batch_id)
       INSERT INTO receipts (user_id, batch_id, processed_at, counts) SELECT user_id, batch_id, now(), '{}' FROM made`,
      [user],
    );
  }
  expect(await pruneRaw(app.ctx)).toEqual({ batches: 3_400 });
  for (const user of users) expect([...(await left(user)), ...(await left(user, 'receipts'))]).toEqual([]);
});

test('skips a user that a worker is processing', async () => {
  const user = await newUser();
  await batch(user, 150, 'processed');
  await inTransaction(app.ctx.operator, async (tx) => {
    await lockUser(tx, user);
    expect(await pruneRaw(app.ctx)).toEqual({ batches: 0 });
  });
  expect(await completeForDays(user)).toBeNull();
  expect(await pruneRaw(app.ctx)).toEqual({ batches: 1 });
});

test('prevents rebuilds from raw afterwards, and keeps the canonical values', async () => {
  const user = await createPhoneUser(app);
  await user.upload(
    { id: 'scale' },
    { records: [{ metric: 'weight', start: '2026-03-01T08:00:00Z', value: 61.5 }] },
  );
  await workThrough(app);
  const rebuild = () => inTransaction(app.ctx.operator, (tx) => rebuildUser(app.ctx, tx, user.uuid, 'raw'));
  expect(await rebuild()).toEqual({ changed: false });
  await app.moveClock(101 * 86_400_000);
  expect((await pruneRaw(app.ctx)).batches).toBeGreaterThan(0);
  await expect(rebuild()).rejects.toThrow(/past retention/);
  const { rows } = await app.admin.query('SELECT printed FROM canonical_months WHERE user_id = $1', [
    user.uuid,
  ]);
  expect(rows.some(({ printed }) => printed.includes('61.5'))).toBe(true);
  await app.moveClock(0);
});
