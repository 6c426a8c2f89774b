import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';
import type { Environment } from '../database/tenant.ts';

/** A verified push that is not processed yet. */
export interface ProviderPush {
  id: number;
  environment: Environment;
  provider: string;
  headers: Record<string, string>;
  /** The id of the key that encrypts the body; null if it is not encrypted. */
  keyId: string | null;
  /** Compressed, and encrypted if there is a key. */
  body: Buffer;
  receivedMs: number;
  /** How many attempts to process it have failed. */
  failures: number;
}

/** Commits a push before it is acknowledged. */
export async function insertPush(
  db: Queryable,
  push: Omit<ProviderPush, 'id' | 'receivedMs' | 'failures'>,
): Promise<void> {
  await db.query({
    name: 'provider-pushes/insert',
    text: `INSERT INTO provider_pushes (environment, provider, received_at, headers, body, key_id) VALUES ($1, $2, tributary_now(), $3, $4, $5)`,
    values: [push.environment, push.provider, push.headers, push.body, push.keyId],
  });
}

/** Locks the oldest push that is due and that no other worker has, for the rest of the transaction. */
export async function takePush(tx: Queryable): Promise<ProviderPush | null> {
  const result = await tx.query<ProviderPush>({
    name: 'provider-pushes/take',
    text: `SELECT id, environment, provider, headers, key_id AS "keyId", body, ${epochMs('received_at')} AS "receivedMs", failures
           FROM provider_pushes WHERE retry_at IS NULL OR retry_at <= tributary_now() ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  });
  return result.rows[0] ?? null;
}

export async function deletePush(tx: Queryable, id: number): Promise<void> {
  await tx.query({
    name: 'provider-pushes/delete',
    text: 'DELETE FROM provider_pushes WHERE id = $1',
    values: [id],
  });
}

/** Lets others pass a push that could not be processed. */
export async function postponePush(db: Queryable, id: number, waitMs: number): Promise<void> {
  await db.query({
    name: 'provider-pushes/postpone',
    text: `UPDATE provider_pushes SET failures = failures + 1, retry_at = tributary_now() + $2 * interval '1 millisecond' WHERE id = $1`,
    values: [id, waitMs],
  });
}

/** Which of these keys encrypt a push that is not processed yet. */
export async function listKeysInUse(db: Queryable, keyIds: readonly string[]): Promise<string[]> {
  const result = await db.query<{ keyId: string }>({
    text: 'SELECT key_id AS "keyId" FROM provider_pushes WHERE key_id = ANY ($1::uuid[])',
    values: [keyIds],
  });
  return result.rows.map(({ keyId }) => keyId);
}

/** The id of the newest push, or null if none is waiting. */
export async function findNewestPush(db: Queryable): Promise<number | null> {
  const result = await db.query<{ id: number | null }>({ text: 'SELECT max(id) AS id FROM provider_pushes' });
  return result.rows[0]!.id;
}

/** Whether this push, or an earlier one, is not processed yet. Pushes that failed do not count: they may wait for days. */
export async function hasPushUpTo(db: Queryable, id: number): Promise<boolean> {
  const result = await db.query({
    text: 'SELECT FROM provider_pushes WHERE id <= $1 AND failures = 0 LIMIT 1',
    values: [id],
  });
  return result.rowCount === 1;
}
