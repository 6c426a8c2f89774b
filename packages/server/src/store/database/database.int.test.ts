import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/apps/test-database.ts';
import { inTransaction, openPool } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

test('fails the transaction and not the process when the server ends its connection', async () => {
  const pool = openPool({
    url: database.url,
    role: 'operator',
    max: 1,
    statementTimeoutMs: 10_000,
    applicationName: 'broken',
  });
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.prependListener('uncaughtException', note);
  const work = inTransaction(pool, (tx) => tx.query({ text: 'SELECT pg_sleep(10)' }));
  const ended = work.catch((error: unknown) => error);
  const terminate = async () => {
    const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'broken' AND wait_event = 'PgSleep'`;
    return (await database.admin.query(text)).rowCount;
  };
  await expect.poll(terminate).toBe(1);
  expect(await ended).toBeInstanceOf(Error);
  // The pool opens a new connection.
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
  process.off('uncaughtException', note);
  expect(uncaught).toEqual([]);
});
