import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../store/database/database.ts';
import { erasedTables, retainedTables } from '../../store/users/erasure-list.ts';
import { takePendingBatches } from '../../store/uploads/pending-batches.ts';
import { lockUser } from '../../store/layers/rebuild.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { createFailingPool } from '../../test/failing-pool.ts';
import { countRows, plantedMark, plantedTables, plantUser } from '../../test/data/plant-user.ts';
import { makeAccessRecord } from '../../test/access-records.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, everyPartition, workThrough, type PhoneUser } from '../../test/data/uploads.ts';
import { mostAttempts, noteFailure } from '../batches/note-failure.ts';
import { deleteUser } from './delete-user.ts';
import { eraseUser } from './erase-user.ts';
import { testActing } from '../../test/acting.ts';

let app: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  app = await startTestApp();
  tenant = { accountId: app.account.uuid, environment: 'live' };
});
afterAll(() => app[Symbol.asyncDispose]());

const plant = () => plantUser(app.admin, tenant);
const erasedNames = erasedTables.map(({ name }) => name);
const nothing = Object.fromEntries(erasedNames.map((name) => [name, 0]));
/** One row of each table, and the user. */
const oneOfEach = {
  ...Object.fromEntries([...erasedNames, 'events', 'feed'].map((name) => [name, 1])),
  users: 1,
};

async function erasureOf(userId: string) {
  const { rows } = await app.admin.query('SELECT * FROM erasures WHERE user_id = $1', [userId]);
  return rows[0];
}

async function userRows(userId: string): Promise<number> {
  return (await app.admin.query('SELECT FROM users WHERE id = $1', [userId])).rowCount ?? 0;
}

describe('the list of erased tables', () => {
  const unlisted = async () => {
    const { rows } = await app.admin.query(
      `SELECT c.relname AS table_name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('user_id', 'person')
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    const listed = new Set([...erasedNames, ...Object.keys(retainedTables)]);
    const tableNames = rows.map(({ table_name }) => table_name as string);
    return { found: tableNames.length, unlisted: tableNames.filter((name) => !listed.has(name)) };
  };

  test('contains every table that references a user', async () => {
    // These name the user by the id that a provider uses.
    const withoutUser = ['provider_limits'];
    expect(await unlisted()).toEqual({
      found: erasedNames.length - withoutUser.length + Object.keys(retainedTables).length,
      unlisted: [],
    });
  });

  test('does not contain a new table', async () => {
    await app.admin.query('CREATE TABLE diary (user_id uuid, entry text)');
    expect((await unlisted()).unlisted).toEqual(['diary']);
    await app.admin.query('DROP TABLE diary');
  });

  test('is covered completely by the rows of these tests', () => {
    expect(plantedTables.toSorted()).toEqual([...erasedNames, 'events', 'feed'].toSorted());
  });
});

describe('a user with rows in every table', () => {
  test('is removed completely, without affecting another user', async () => {
    const [userId, neighbor] = [await plant(), await plant()];
    await app.admin.query(
      `INSERT INTO receipts SELECT $1, gen_random_uuid(), now(), false, '{1,0,0,0,0}' FROM generate_series(1, 2500)`,
      [userId],
    );
    const before = await countRows(app.admin, neighbor);
    expect(Object.values(before).every((rows) => rows === 1)).toBe(true);
    await deleteUser(app.ctx, testActing(tenant), userId);
    const removed = await eraseUser(app.ctx, userId);

    expect(removed).toEqual({ ...oneOfEach, receipts: 2_501 });
    expect(await countRows(app.admin, userId)).toEqual({ ...nothing, events: 2, feed: 1 });
    expect(await userRows(userId)).toBe(0);
    expect(await countRows(app.admin, neighbor)).toEqual(before);
    const { rows } = await app.admin.query(
      `SELECT data, metrics, device_id FROM events WHERE user_id = $1 AND data <> '{}'`,
      [neighbor],
    );
    expect(rows).toHaveLength(1);
    const erasure = await erasureOf(userId);
    expect(erasure).toMatchObject({ account_id: tenant.accountId, environment: 'live', removed });
    expect(erasure.finished_at.getTime()).toBeGreaterThanOrEqual(erasure.requested_at.getTime());
  });

  test('appears only in its events and its erasure record, without personal data', async () => {
    const userId = await plant();
    await app.admin.query(
      `WITH entry AS (
         INSERT INTO audit_intake (id, account_id, environment, at, actor_type, actor_id, action, target_type, target_id, data, person)
         VALUES (gen_random_uuid(), $2, 'live', now(), 'api_key', 'key', 'user.updated', 'user', 'user', '{}', $1) RETURNING *)
       INSERT INTO audit_log (account_id, position, id, environment, at, actor_type, actor_id, action, target_type, target_id, data, person, hash)
       SELECT account_id, 1, id, environment, at, actor_type, actor_id, action, target_type, target_id, data, person, 'x' FROM entry`,
      [userId, tenant.accountId],
    );
    app.ctx.accessRecords.note(makeAccessRecord(app, { userId }));
    await app.ctx.accessRecords.flush();
    await deleteUser(app.ctx, testActing(tenant), userId);
    await eraseUser(app.ctx, userId);
    const { rows: tables } = await app.admin.query(
      `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE relkind IN ('r', 'p') AND NOT relispartition
         AND relnamespace = 'public'::regnamespace`,
    );
    const naming: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await app.admin.query(
        `SELECT FROM ${name} t WHERE t::text LIKE '%' || $1 || '%'`,
        [userId],
      );
      if (rowCount) naming.push(name);
    }
    expect(naming.toSorted()).toEqual(Object.keys(retainedTables).toSorted());
    const result = await app.admin.query(
      `SELECT e::text AS row FROM events e WHERE user_id = $1 UNION ALL SELECT f::text FROM feed f WHERE user_id = $1 UNION ALL SELECT e::text FROM erasures e WHERE user_id = $1`,
      [userId],
    );
    for (const { row } of result.rows) expect(row).not.toContain(plantedMark);
  });

  test('keeps the positions of its events without content, and ends with user.deleted', async () => {
    const userId = await plant();
    const places = async () =>
      (
        await app.admin.query(
          `SELECT xid::text, id, type, device_id, metrics, data, account_id, environment FROM events WHERE user_id = $1 ORDER BY events.xid`,
          [userId],
        )
      ).rows;
    const [planted] = await places();
    await deleteUser(app.ctx, testActing(tenant), userId);
    await eraseUser(app.ctx, userId);
    const [tombstone, last, ...rest] = await places();
    expect(rest).toEqual([]);
    expect(tombstone).toEqual({ ...planted, device_id: null, metrics: [], data: {} });
    expect(last).toMatchObject({ type: 'user.deleted', device_id: null, metrics: [], data: {} });
    expect(last).toMatchObject({ account_id: tenant.accountId, environment: 'live' });
  });
});

test(
  'erases everything and counts every row once if it is interrupted at any statement and run again',
  { timeout: 400_000 },
  async () => {
    const run = async (statements: number): Promise<boolean> => {
      const userId = await plant();
      await deleteUser(app.ctx, testActing(tenant), userId);
      const interruptedCtx = { ...app.ctx, operator: createFailingPool(app.ctx.operator, statements) };
      const whole = await eraseUser(interruptedCtx, userId).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('cut');
          return false;
        },
      );
      if (!whole) expect(await eraseUser(app.ctx, userId)).toEqual(oneOfEach);
      expect(await countRows(app.admin, userId)).toEqual({ ...nothing, events: 2, feed: 1 });
      expect(await userRows(userId)).toBe(0);
      expect((await erasureOf(userId)).removed).toEqual(oneOfEach);
      return whole;
    };
    let statements = 0;
    while (!(await run(statements))) statements += 1;
    expect(statements).toBeGreaterThan(5 * erasedTables.length);
  },
);

describe('concurrent work', () => {
  /** Replaces a function that other statements call after taking their snapshot by a slow one, while `work` runs. */
  const whileSlow = async (name: string, slow: string, work: () => Promise<void>) => {
    const { rows } = await app.admin.query('SELECT pg_get_functiondef($1::regproc) AS before', [name]);
    await app.admin.query(slow);
    await work();
    await app.admin.query(rows[0].before);
  };
  /** Deletes and erases a user while a statement with an older snapshot sleeps. */
  const eraseBehindBack = async ({ id, uuid }: PhoneUser) => {
    const asleep = async () =>
      (await app.admin.query(`SELECT backend_xid FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).rows;
    // The statement has no transaction ID yet, so it could not be detected by one.
    await expect.poll(asleep, { timeout: 5_000, interval: 20 }).toEqual([{ backend_xid: null }]);
    expect((await app.request('DELETE', `/v1/users/${id}`)).status).toBe(202);
    expect(await asleep()).toHaveLength(1);
    await eraseUser(app.ctx, uuid);
  };
  const weight = { records: [{ metric: 'weight', start: '2026-03-01T08:00:00Z', value: 61.5 }] };

  test('waits for an upload that found its session active before the deletion, and erases it', async () => {
    const phone = await createPhoneUser(app);
    const slow = `CREATE OR REPLACE FUNCTION current_user_ids() RETURNS uuid[] LANGUAGE plpgsql STABLE AS $$
      DECLARE named text := nullif(current_setting('tributary.user_ids', true), '');
      BEGIN
        IF named IS NOT NULL THEN PERFORM pg_sleep(1.5); END IF;
        RETURN coalesce(named, '{}')::uuid[];
      END $$`;
    await whileSlow('current_user_ids', slow, async () => {
      const order: string[] = [];
      const upload = phone.upload({ id: 'scale-1' }, weight).then(() => order.push('uploaded'));
      await eraseBehindBack(phone);
      order.push('erased');
      await upload;
      expect(order).toEqual(['uploaded', 'erased']);
    });
    expect(await countRows(app.admin, phone.uuid)).toEqual({ ...nothing, events: 1, feed: 0 });
    expect((await erasureOf(phone.uuid)).removed).toMatchObject({ raw_batches: 1, pending_batches: 1 });
  });

  test('waits for a batch that was claimed before the deletion, and erases it', async () => {
    const phone = await createPhoneUser(app);
    await phone.upload({ id: 'scale-1' }, weight);
    const slow = `CREATE OR REPLACE FUNCTION try_lock_user(user_id uuid) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_sleep(1.5);
        RETURN pg_try_advisory_xact_lock(1953654124, hashtext(user_id::text));
      END $$`;
    await whileSlow('try_lock_user', slow, async () => {
      const work = workThrough(app);
      await eraseBehindBack(phone);
      await work;
    });
    expect(await countRows(app.admin, phone.uuid)).toEqual({ ...nothing, events: 3, feed: 0 });
    const { removed } = await erasureOf(phone.uuid);
    expect(removed).toMatchObject({
      raw_batches: 1,
      pending_batches: 0,
      receipts: 1,
      sample_chunks: 1,
      devices: 1,
    });
  });

  test('waits for a transaction on the layers of the user, and erases what it writes', async () => {
    const userId = await plant();
    const erasing = await inTransaction(app.ctx.operator, async (tx) => {
      expect(await lockUser(tx, userId)).not.toBeNull();
      await deleteUser(app.ctx, testActing(tenant), userId);
      const started = eraseUser(app.ctx, userId);
      await sleep(500);
      await tx.query({
        text: `INSERT INTO canonical_months (user_id, metric_no, month, printed, detail) VALUES ($1, 2, 600, '', 'x')`,
        values: [userId],
      });
      return { started };
    });
    expect(await erasing.started).toEqual({ ...oneOfEach, canonical_months: 2 });
    expect(await countRows(app.admin, userId)).toEqual({ ...nothing, events: 2, feed: 1 });
  });

  test('leaves no trace of a batch that fails for the last time after the deletion', async () => {
    const phone = await createPhoneUser(app);
    const batchId = await phone.upload({ id: 'scale-1' }, weight);
    const { batches } = await inTransaction(app.ctx.operator, (tx) =>
      takePendingBatches(tx, everyPartition, 100),
    );
    const batch = batches.find((candidate) => candidate.batchId === batchId)!;
    await deleteUser(app.ctx, testActing(tenant), phone.uuid);
    await eraseUser(app.ctx, phone.uuid);
    await noteFailure(app.ctx, { ...batch, attempts: mostAttempts - 1 }, new Error('never'));
    expect(await countRows(app.admin, phone.uuid)).toEqual({ ...nothing, events: 1, feed: 0 });
  });

  test('two workers erase the same user once', async () => {
    const userId = await plant();
    await deleteUser(app.ctx, testActing(tenant), userId);
    const results = await Promise.all([eraseUser(app.ctx, userId), eraseUser(app.ctx, userId)]);
    expect(results.filter((result) => result !== null)).toEqual([oneOfEach]);
    expect((await countRows(app.admin, userId))['events']).toBe(2);
  });

  test('erases neither an active user nor a user that is already erased', async () => {
    const userId = await plant();
    const before = await countRows(app.admin, userId);
    expect(await eraseUser(app.ctx, userId)).toBeNull();
    expect(await countRows(app.admin, userId)).toEqual(before);
    await deleteUser(app.ctx, testActing(tenant), userId);
    await eraseUser(app.ctx, userId);
    expect(await eraseUser(app.ctx, userId)).toBeNull();
    expect(await eraseUser(app.ctx, randomUUID())).toBeNull();
  });
});
