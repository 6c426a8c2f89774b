import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Context } from './context.ts';
import { createContext } from './create-context.ts';
import { runIngest } from './ingest/run-ingest.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { createLog } from './log.ts';
import { prepareDatabase } from './migrate.ts';
import { startOpsServer } from './ops/ops-server.ts';
import { startPgBouncer } from './test/apps/pgbouncer.ts';
import { startTestApp, type TestApp } from './test/apps/test-app.ts';
import { testConfig } from './test/apps/test-config.ts';
import { createTestDatabase, type TestDatabase } from './test/apps/test-database.ts';
import { arrangePooler, TestLogins } from './test/apps/test-logins.ts';
import { inspectBoundary } from './store/database/boundary.ts';
import { openPool, openSession } from './store/database/database.ts';

const serviceRoles = ['tributary_service', 'tributary_operator', 'tributary_sign_in'];
const program = fileURLToPath(new URL('./main.ts', import.meta.url));

let database: TestDatabase;
let logins: TestLogins;
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  database = resources.use(await createTestDatabase());
  logins = resources.use(new TestLogins(database));
});
afterAll(() => resources.disposeAsync());

const settingsFor = (url: string, more: Record<string, string> = {}) => ({
  DATABASE_URL: url,
  NATS_URL: inject('engines').natsUrl,
  ...more,
});

async function startContext(url: string, more: Record<string, string> = {}): Promise<Context> {
  const config = testConfig(settingsFor(url, more));
  return createContext(config, 'api', createLog(config, 'api'));
}

async function readReadiness(ctx: Context): Promise<{ status: number; body: unknown }> {
  const server = await startOpsServer(ctx);
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return { status: response.status, body: await response.json() };
  } finally {
    server.close().closeAllConnections();
  }
}

describe('a login that is only a member of the service roles', () => {
  let app: TestApp;
  const arrange = async (own: TestDatabase, owned: AsyncDisposableStack) => {
    const login = await owned.use(new TestLogins(own)).create(serviceRoles);
    return { DATABASE_URL: login.url, MIGRATE_ON_START: 'false' };
  };
  beforeAll(async () => {
    app = await startTestApp({}, undefined, arrange);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('runs every role of the service', async () => {
    await prepareDatabase(app.ctx.config, app.ctx.log);
    const started = performance.now();
    await using _jobs = await runJobs(app.ctx);
    await using _ingest = await runIngest(app.ctx);
    const loops = [
      'sequencer',
      'auditor',
      'monitor',
      'ingest',
      'history',
      'delivery',
      'sync',
      'scores',
      'jobs',
    ] as const;
    const age = () => Math.max(...loops.map((loop) => app.ctx.loops.ages().get(loop) ?? Infinity));
    await expect.poll(() => age() < performance.now() - started, { timeout: 20_000 }).toBe(true);
    expect(await readReadiness(app.ctx)).toMatchObject({ status: 200, body: { status: 'ready' } });
    const created = await app.request('POST', '/v1/users', { body: { reference_id: 'restricted' } });
    expect(created.status).toBe(201);
  });

  test('has no rights without its roles, so RESET ROLE gains nothing', async () => {
    const client = await app.ctx.operator.connect();
    try {
      expect((await client.query('SELECT FROM users')).rowCount).toBeGreaterThan(0);
      await client.query('RESET ROLE');
      for (const statement of ['SELECT FROM users', 'SELECT FROM api_keys', 'CREATE ROLE other'])
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    } finally {
      client.release(true);
    }
  });
});

describe('a process refuses to start', () => {
  test('when its login is not a member of the role', async () => {
    const login = await logins.create(['tributary_operator']);
    const refusal = startContext(login.url);
    await expect(refusal).rejects.toThrow(/The database login cannot work as tributary_service/);
  });

  test('with the reason on standard error and exit code 1', async () => {
    const login = await logins.create(['tributary_operator']);
    const env = { ...settingsFor(login.url), MIGRATE_ON_START: 'false', TRIBUTARY_ENV: 'test' };
    const keys = { ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`, NODE_NO_WARNINGS: '1' };
    const start = promisify(execFile)(process.execPath, [program, 'api'], {
      env: { ...process.env, ...env, ...keys, PORT: '0', METRICS_PORT: '0' },
    });
    await expect(start).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The database login cannot work as tributary_service: .*\n$/),
    });
  });

  test('when a role owns a table with row-level security', async () => {
    await using own = await createTestDatabase();
    await own.admin.query('ALTER TABLE devices OWNER TO tributary_service');
    await expect(startContext(own.url)).rejects.toThrow(/is not isolated: it owns tables/);
  });

  test('behind a pooler that drops the role and the limits', async () => {
    const login = await logins.create(serviceRoles);
    await using pooler = await startPgBouncer([login]);
    const refusal = startContext(pooler.through(login.url));
    await expect(refusal).rejects.toThrow(
      new RegExp(`is not isolated: it works as ${login.name}; .*statement_timeout is 0 instead of 10000`),
    );
    await expect(startContext(pooler.through(login.url))).rejects.toThrow(/docs\/operating.md/);
  });

  test('behind a pooler whose login works as another role', async () => {
    const login = await logins.createWithSettings('operator');
    await using pooler = await startPgBouncer([login]);
    await expect(startContext(pooler.through(login.url))).rejects.toThrow(
      /for tributary_service .* it works as tributary_operator/,
    );
  });
});

describe('a connection', () => {
  const optionsOf = (url: string) => ({
    url,
    role: 'service' as const,
    statementTimeoutMs: 10_000,
    applicationName: 'boundary',
  });

  test('has its role and limits although the URL asks for others', async () => {
    const url = `${database.url}?options=${encodeURIComponent('-c role=tributary_operator -c statement_timeout=0 -c row_security=off')}`;
    const pool = openPool({ ...optionsOf(url), max: 1 });
    const { rows } = await pool.query(
      `SELECT current_user AS role, current_setting('statement_timeout') AS timeout, current_setting('row_security') AS security`,
    );
    expect(rows).toEqual([{ role: 'tributary_service', timeout: '10s', security: 'on' }]);
    await pool.end();
  });

  test('for session locks must be direct', async () => {
    const login = await logins.createWithSettings('service');
    await using pooler = await startPgBouncer([login]);
    await expect(openSession(optionsOf(pooler.through(login.url)))).rejects.toThrow(/DATABASE_DIRECT_URL/);
    await (await openSession(optionsOf(login.url))).end();
  });

  test('of a superuser is found to bypass row-level security', async () => {
    const { problems } = await inspectBoundary(database.admin, 'operator');
    expect(problems).toEqual([
      'it works as postgres',
      'it bypasses row-level security',
      'it owns tables, or is a member of their owner',
    ]);
  });
});

test('a process is not ready once a connection has left its role', async () => {
  await using ctx = await startContext(database.url, { DATABASE_POOL_SIZE: '1' });
  expect((await readReadiness(ctx)).status).toBe(200);
  await ctx.db.query('RESET ROLE');
  expect(await readReadiness(ctx)).toMatchObject({
    status: 503,
    body: { checks: { database: 'not ready: tenants are not isolated' } },
  });
});

test('a process is not ready while a background loop makes no progress', async () => {
  await using ctx = await startContext(database.url);
  using _loop = ctx.loops.start('scores', 0);
  expect(await readReadiness(ctx)).toMatchObject({
    status: 503,
    body: { checks: { loops: 'not ready: no progress in scores' } },
  });
  const metrics = await ctx.metrics.registry.metrics();
  const [, beatAt] = /tributary_loop_last_beat_seconds\{loop="scores"\} ([\d.]+)/.exec(metrics) ?? [];
  expect(Math.abs(Number(beatAt) - Date.now() / 1000)).toBeLessThan(60);
});

test('a read-only database is not ready, serves reads and responds 503 to writes', async () => {
  await using app = await startTestApp();
  const name = new pg.Client({ connectionString: app.ctx.config.secrets.database.service.url.read() })
    .database!;
  await app.admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await app.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid() AND application_name <> ''`,
    [name],
  );
  await expect
    .poll(() => readReadiness(app.ctx), { timeout: 20_000 })
    .toMatchObject({ status: 503, body: { checks: { database: 'not ready: read-only' } } });
  expect((await app.request('GET', '/v1/users')).status).toBe(200);
  const write = await app.request('POST', '/v1/users', { body: { reference_id: 'x' } });
  expect(write.status).toBe(503);
  expect(write.headers.get('retry-after')).toBe('1');
  expect(write.body.error).toBe('unavailable');
});

test('every role of the service runs behind a pooler in transaction mode', async () => {
  await using app = await startTestApp({}, undefined, arrangePooler);
  await prepareDatabase(app.ctx.config, app.ctx.log);
  await using _jobs = await runJobs(app.ctx);
  await using _ingest = await runIngest(app.ctx);
  const created = await app.request('POST', '/v1/users', { body: { reference_id: 'pooled' } });
  expect(created.status).toBe(201);
  expect((await app.request('DELETE', `/v1/users/${created.body.data.id}`)).status).toBe(202);
  const unfinished = async () =>
    (await app.admin.query('SELECT count(*)::int AS n FROM erasures WHERE finished_at IS NULL')).rows[0].n;
  await expect.poll(unfinished, { timeout: 20_000 }).toBe(0);
  expect(await readReadiness(app.ctx)).toMatchObject({ status: 200, body: { status: 'ready' } });
});
