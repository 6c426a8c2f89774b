import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Queryable } from '../database/database.ts';

/** The id of the separate key store that this database uses, or, in a key store, its own id. Null if there is none. */
export async function findKeyStoreId(db: Queryable): Promise<string | null> {
  const result = await db.query<{ id: string }>({ text: 'SELECT id FROM key_store' });
  return result.rows[0]?.id ?? null;
}

/** Records the key store of this database, unless one is recorded already. */
export async function recordKeyStoreId(db: Queryable, id: string): Promise<void> {
  await db.query({
    text: 'INSERT INTO key_store (id) VALUES ($1) ON CONFLICT (only_row) DO NOTHING',
    values: [id],
  });
}

/** What a database that is to be the key store contains. */
export async function inspectKeyStore(
  db: Queryable,
): Promise<{ isPrepared: boolean; isMainDatabase: boolean }> {
  const result = await db.query<{ isPrepared: boolean; isMainDatabase: boolean }>({
    text: `SELECT to_regclass('key_store') IS NOT NULL AND to_regclass('raw_keys') IS NOT NULL AS "isPrepared",
             to_regclass('raw_batches') IS NOT NULL AS "isMainDatabase"`,
  });
  return result.rows[0]!;
}

/** Creates the tables of a key store, and gives it an id. */
export async function createKeyStoreTables(db: Queryable): Promise<void> {
  await db.query({ text: readFileSync(join(import.meta.dirname, 'key-store.sql'), 'utf8') });
}
