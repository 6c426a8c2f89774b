import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** A superuser's view of it, behind no wall. */
  admin: pg.Pool;
}

/** A database of its own, cloned from the migrated one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const engines = inject('engines');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(engines.adminDatabaseUrl, `CREATE DATABASE ${name} TEMPLATE tributary OWNER tributary`);
  const admin = new pg.Pool({
    connectionString: withDatabase(engines.adminDatabaseUrl, name),
    max: 2,
    // What a test that failed left open would hold up the feeds of all the others.
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

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Two clones at once disturb one another, so they take turns.
    await client.query('SELECT pg_advisory_lock(1)');
    await client.query(sql);
  } finally {
    await client.end();
  }
}
