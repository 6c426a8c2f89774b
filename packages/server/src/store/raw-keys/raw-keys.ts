import type { Queryable } from '../database/database.ts';

/** A key, sealed by ENCRYPTION_KEYS; null once it is destroyed. */
export interface SealedKey {
  id: string;
  sealed: Buffer | null;
}

/** The stored keys among these, including destroyed ones. */
export async function listRawKeys(db: Queryable, ids: readonly string[]): Promise<SealedKey[]> {
  const result = await db.query<SealedKey>({
    name: 'raw-keys/list',
    text: 'SELECT id, sealed FROM raw_keys WHERE id = ANY ($1::uuid[])',
    values: [ids],
  });
  return result.rows;
}

/** Stores keys of users who have none yet. */
export async function insertUserKeys(
  db: Queryable,
  keys: readonly { id: string; sealed: Buffer }[],
): Promise<void> {
  await db.query({
    name: 'raw-keys/insert',
    text: `INSERT INTO raw_keys (id, user_id, sealed, created_at)
           SELECT id, id, sealed, now() FROM unnest($1::uuid[], $2::bytea[]) AS k (id, sealed) ON CONFLICT (id) DO NOTHING`,
    values: [keys.map(({ id }) => id), keys.map(({ sealed }) => sealed)],
  });
}

/** Destroys the key of a user. What remains is the fact, so that no other key is created for the user. */
export async function destroyUserKey(db: Queryable, userId: string): Promise<void> {
  await db.query({
    text: `INSERT INTO raw_keys (id, user_id, created_at, destroyed_at) VALUES ($1, $1, now(), now())
           ON CONFLICT (id) DO UPDATE SET sealed = NULL, destroyed_at = now() WHERE raw_keys.sealed IS NOT NULL`,
    values: [userId],
  });
}

export async function insertPushKey(db: Queryable, id: string, sealed: Buffer): Promise<void> {
  await db.query({
    name: 'raw-keys/insert-push',
    text: 'INSERT INTO raw_keys (id, sealed, created_at) VALUES ($1, $2, now())',
    values: [id, sealed],
  });
}

export async function deletePushKeys(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query({
    name: 'raw-keys/delete-push',
    text: 'DELETE FROM raw_keys WHERE id = ANY ($1::uuid[]) AND user_id IS NULL',
    values: [ids],
  });
}

/** Keys of pushes that are older than this and come after the given one, in order of their ids. */
export async function listOldPushKeys(
  db: Queryable,
  olderThanMs: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const result = await db.query<{ id: string }>({
    text: `SELECT id FROM raw_keys WHERE user_id IS NULL AND id > $2 AND created_at < now() - $1 * interval '1 millisecond'
           ORDER BY id LIMIT $3`,
    values: [olderThanMs, after, limit],
  });
  return result.rows.map(({ id }) => id);
}
