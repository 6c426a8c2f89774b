import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const folder = new URL('./migrations/', import.meta.url);
/** How long a statement may wait for a lock. Requests wait behind it for as long. */
const lockTimeoutMs = 100;
/** How long a migration is tried again while others hold the locks that it needs. */
const patienceMs = 10 * 60_000;
const contention = new Set(['55P03', '40P01']);
/** The first line of a migration whose statements run one by one, because they take as long as reading a table. */
const outsideTransaction = '-- Outside a transaction.';
const lockKey = 7_274_211_965; // an arbitrary constant: one migration at a time per database

export interface MigrationReport {
  applied: string[];
  total: number;
}

/** A file of SQL. */
export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** Migrates the database to this version, once, even if many nodes start together. Then runs `also` under the same lock. Forward only. */
export async function migrate(
  pool: pg.Pool,
  also: () => Promise<void>,
  shipped?: readonly Migration[],
): Promise<MigrationReport> {
  const migrations = shipped ?? (await readMigrations());
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await takeLock(client);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const known = await client.query<{ name: string; checksum: string }>(
      'SELECT name, checksum FROM schema_migrations',
    );
    const applied: string[] = [];
    for (const migration of pendingMigrations(migrations, known.rows)) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    await also();
    return { applied, total: migrations.length };
  } finally {
    client.release(true); // ends the session, which releases the lock and resets the timeout
  }
}

/** Names of migrations that this version has and the database does not. */
export async function listPendingMigrations(pool: pg.Pool): Promise<string[]> {
  const migrations = await readMigrations();
  const exists = await pool.query<{ found: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS found`,
  );
  if (!exists.rows[0]?.found) return migrations.map((migration) => migration.name);
  const known = await pool.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migrations',
  );
  return pendingMigrations(migrations, known.rows).map((migration) => migration.name);
}

/** Migrations that are not applied. Throws if an applied one has been edited since. */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: { name: string; checksum: string }[],
): Migration[] {
  const checksums = new Map(applied.map((row) => [row.name, row.checksum]));
  return migrations.filter((migration) => {
    const checksum = checksums.get(migration.name);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new Error(
        `Migration ${migration.name} was edited after it was applied. Restore the file and make the change in a new migration.`,
      );
    }
    return checksum === undefined;
  });
}

/** Waits for another node that is migrating. A single statement that waits would hold up indexes that are created concurrently. */
async function takeLock(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ isLocked: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS "isLocked"',
      [lockKey],
    );
    if (rows[0]!.isLocked) return;
    await sleep(100);
  }
}

/** Applies a migration, and tries again while other sessions hold its locks. */
async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      if (migration.sql.startsWith(outsideTransaction)) await applyOutside(client, migration);
      else await applyInTransaction(client, migration);
      return;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (!contention.has(code ?? '') || performance.now() > until)
        throw new Error(`Migration ${migration.name} failed: ${message}`, { cause: error });
      await sleep(200 + Math.random() * 800);
    }
  }
}

async function applyInTransaction(client: pg.PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Creates indexes and validates constraints while the service works. Repeats what an interrupted migration left unfinished. */
async function applyOutside(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  const invalid = await client.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid`,
  );
  for (const index of invalid.rows)
    if (sql.includes(` ${index.name} `)) await client.query(`DROP INDEX CONCURRENTLY ${index.name}`);
  for (const statement of sql.split(/;\s*$/m))
    if (/^\s*[A-Z]/m.test(statement)) await client.query(statement);
  await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
