import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/apps/test-database.ts';
import { migrate, type Migration } from './migrate.ts';

/** Migrations of a table that is in use. */

let database: TestDatabase;
let owner: pg.Pool;
let sequence = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Pool({ connectionString: database.url, max: 10 });
});
afterAll(async () => {
  await owner.end();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await owner.query('DROP TABLE IF EXISTS things');
  await owner.query('CREATE TABLE things (id integer, note text)');
  await owner.query(`INSERT INTO things SELECT n, 'x' FROM generate_series(1, 1000) AS n`);
});

const run = (sql: string) => migrate(owner, () => Promise.resolve(), [asMigration(sql)]);

function asMigration(sql: string): Migration {
  sequence += 1;
  return { name: `9${sequence}-test.sql`, sql, checksum: `sum ${sequence}` };
}

async function isValid(index: string): Promise<boolean | undefined> {
  const { rows } = await owner.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [index],
  );
  return rows[0]?.valid;
}

test('holds up requests only briefly while another session holds its lock', async () => {
  const holder = await owner.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT count(*) FROM things');
  const migrated = run('ALTER TABLE things ADD COLUMN count integer NOT NULL DEFAULT 0');
  let longestMs = 0;
  for (let reads = 0; reads < 60; reads += 1) {
    const startedAt = performance.now();
    await owner.query('SELECT FROM things WHERE id = 1');
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    await sleep(25);
  }
  await holder.query('COMMIT');
  holder.release();
  expect(await migrated).toMatchObject({ applied: [expect.any(String)] });
  // Without the limit, the first read would wait for as long as the other session.
  expect(longestMs).toBeGreaterThan(20);
  expect(longestMs).toBeLessThan(1_000);
});

test('creates an index concurrently, on several nodes that start together', async () => {
  const migration = asMigration(`-- Outside a transaction.
-- Reads by note.
CREATE INDEX CONCURRENTLY IF NOT EXISTS things_note ON things (note);
CREATE INDEX CONCURRENTLY IF NOT EXISTS things_id
  ON things (id);
`);
  const reports = await Promise.all(
    Array.from({ length: 4 }, () => migrate(owner, () => Promise.resolve(), [migration])),
  );
  expect(reports.flatMap(({ applied }) => applied)).toHaveLength(1);
  expect([await isValid('things_note'), await isValid('things_id')]).toEqual([true, true]);
});

test('writes continue while an index is created', async () => {
  const writer = await owner.connect();
  await writer.query('BEGIN');
  await writer.query('UPDATE things SET note = note WHERE id = 1');
  const migrated = run(
    '-- Outside a transaction.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS things_note ON things (note)',
  );
  await sleep(500);
  const startedAt = performance.now();
  await owner.query('UPDATE things SET note = note WHERE id = 2');
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  await writer.query('COMMIT');
  writer.release();
  await migrated;
  expect(await isValid('things_note')).toBe(true);
});

test('repeats an index that an interrupted migration left invalid', async () => {
  await owner.query('INSERT INTO things VALUES (1)');
  const sql =
    '-- Outside a transaction.\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS things_unique ON things (id)';
  await expect(run(sql)).rejects.toThrow(/could not create unique index/);
  expect(await isValid('things_unique')).toBe(false);
  await owner.query('DELETE FROM things WHERE note IS NULL');
  await run(sql);
  expect(await isValid('things_unique')).toBe(true);
});

test('a migration that fails for another reason changes nothing and is not repeated', async () => {
  await expect(run('ALTER TABLE things ADD COLUMN a integer; SELECT 1 / 0')).rejects.toThrow(
    /failed: division by zero/,
  );
  await expect(owner.query('SELECT a FROM things')).rejects.toThrow(/does not exist/);
});
