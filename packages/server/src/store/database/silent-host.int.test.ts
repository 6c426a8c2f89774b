import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSilentProxy, type SilentProxy } from '../../test/silent-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../test/apps/test-database.ts';
import { inLimitedTransaction, inTransaction, openPool, openSession } from './database.ts';

let database: TestDatabase;
let proxy: SilentProxy;
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  database = resources.use(await createTestDatabase());
  proxy = resources.use(await startSilentProxy(database.url));
});
afterAll(() => resources.disposeAsync());

/** Statements may take one second, and a response is overdue two seconds later. */
const optionsOf = (name: string) => ({
  url: proxy.through(database.url),
  role: 'operator' as const,
  statementTimeoutMs: 1_000,
  applicationName: name,
});
const mostMs = 5_000;

async function elapsed(work: Promise<unknown>): Promise<{ error: Error & { code?: string }; ms: number }> {
  const startedAt = performance.now();
  const error = await work.then(
    () => new Error('it succeeded'),
    (failure: Error) => failure,
  );
  return { error, ms: performance.now() - startedAt };
}

test('a statement to a silent host fails, the pool drops its idle connections and opens new ones', async () => {
  await using pool = openDisposablePool('silent-pool', 4);
  await Promise.all([1, 2, 3, 4].map(() => pool.query('SELECT pg_sleep(0.1)')));
  expect(pool.idleCount).toBe(4);
  proxy.silence();
  const first = await elapsed(inTransaction(pool, (tx) => tx.query({ text: 'SELECT 1' })));
  expect(first.error.code).toBe('ETIMEDOUT');
  expect(first.error.message).toContain('did not respond');
  expect(first.ms).toBeLessThan(mostMs);
  proxy.heal();
  expect(pool.totalCount).toBe(0);
  const startedAt = performance.now();
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(proxy.abandoned).toBe(0);
});

test('a connection attempt to a silent host fails', async () => {
  await using pool = openDisposablePool('silent-connect', 1);
  proxy.silence();
  const attempt = await elapsed(pool.query('SELECT 1'));
  proxy.heal();
  expect(attempt.ms).toBeLessThan(6_000);
  expect(proxy.abandoned).toBe(0);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('a dedicated session fails, although a silent server never closes it', async () => {
  const session = await openSession(optionsOf('silent-session'));
  let broken: Error | undefined;
  session.once('error', (error) => (broken = error));
  proxy.silence();
  const statement = await elapsed(session.query('SELECT 1'));
  expect(statement.error.code).toBe('ETIMEDOUT');
  expect(statement.ms).toBeLessThan(mostMs);
  expect(broken).toBe(statement.error);
  await session.end();
  proxy.heal();
  expect(proxy.abandoned).toBe(0);
});

test('a long transaction may take longer than the deadline, unless another connection finds the host silent', async () => {
  await using pool = openDisposablePool('silent-long', 2);
  const slow = () =>
    inLimitedTransaction(pool, 60_000, (tx) => tx.query({ text: 'SELECT pg_sleep(4) IS NULL AS slept' }));
  await expect(slow()).resolves.toMatchObject({ rows: [{ slept: false }] });
  const lost = elapsed(slow());
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(1);
  await pool.query('SELECT 1');
  await new Promise((resolve) => setTimeout(resolve, 100));
  proxy.silence();
  const [short, long] = [await elapsed(pool.query('SELECT 1')), await lost];
  proxy.heal();
  expect([short.error.code, long.error.code]).toEqual(['ETIMEDOUT', 'ETIMEDOUT']);
  expect(long.ms).toBeLessThan(mostMs);
});

test('the server ends the sessions of a client that it no longer hears', async () => {
  await using pool = openDisposablePool('silent-client', 1);
  const { rows } = await pool.query(
    `SELECT name, setting FROM pg_settings WHERE name IN ('idle_session_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`,
  );
  expect(rows).toEqual([
    { name: 'idle_in_transaction_session_timeout', setting: '30000' },
    { name: 'idle_session_timeout', setting: '40000' },
  ]);
});

function openDisposablePool(name: string, max: number) {
  const pool = openPool({ ...optionsOf(name), max });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}
