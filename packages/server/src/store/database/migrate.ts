import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const folder = new URL('./migrations/', import.meta.url);
const lockKey = 7_274_211_965; // an arbitrary constant: one migration at a time per database

export interface MigrationReport {
  applied: string[];
  total: number;
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** Migrates the database to this version, once, even if many nodes start together. Then runs `also` under the same lock. Forward only. */
export async function migrate(pool: pg.Pool, also: () => Promise<void>): Promise<MigrationReport> {
  const migrations = await readMigrations();
  const client = await pool.connect();
  try {
    // Another node may be migrating for minutes. Wait for it instead of timing out.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
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
  migrations: Migration[],
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

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
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
