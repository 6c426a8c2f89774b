import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

const patienceMs = 60_000;

export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** A superuser connection, without row-level security. */
  admin: pg.Pool;
}

/** A separate database, cloned from the migrated one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const engines = inject('engines');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(engines.adminDatabaseUrl, `CREATE DATABASE ${name} TEMPLATE tributary OWNER tributary`);
  const admin = new pg.Pool({
    connectionString: withDatabase(engines.adminDatabaseUrl, name),
    max: 2,
    // A transaction that a failed test left open would stop the feeds of all other tests.
    idle_in_transaction_session_timeout: 30_000,
  });
  admin.on('error', () => {});
  return {
    url: withDatabase(engines.databaseUrl, name),
    admin,
    async [Symbol.asyncDispose]() {
      await admin.end();
      await onServer(engines.adminDatabaseUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** A test that checks statements connects to the database that is cloned. */
async function runWhenFree(client: pg.Client, sql: string): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      await client.query(sql);
      return;
    } catch (error) {
      const isInUse = (error as { code?: string }).code === '55006';
      if (!isInUse || performance.now() > until) throw error;
      await sleep(200);
    }
  }
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Concurrent clones interfere with each other, so they run one at a time.
    await client.query('SELECT pg_advisory_lock(1)');
    await runWhenFree(client, sql);
  } finally {
    await client.end();
  }
}
