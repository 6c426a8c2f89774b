import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';
import type { Environment } from '../database/tenant.ts';

/** A verified push that is not processed yet. */
export interface ProviderPush {
  id: number;
  environment: Environment;
  provider: string;
  headers: Record<string, string>;
  /** Compressed. */
  body: Buffer;
  receivedMs: number;
}

/** Commits a push before it is acknowledged. */
export async function insertPush(
  db: Queryable,
  push: Omit<ProviderPush, 'id' | 'receivedMs'>,
): Promise<void> {
  await db.query({
    name: 'provider-pushes/insert',
    text: `INSERT INTO provider_pushes (environment, provider, received_at, headers, body) VALUES ($1, $2, tributary_now(), $3, $4)`,
    values: [push.environment, push.provider, push.headers, push.body],
  });
}

/** Locks the oldest push that no other worker has, for the rest of the transaction. */
export async function takePush(tx: Queryable): Promise<ProviderPush | null> {
  const result = await tx.query<ProviderPush>({
    name: 'provider-pushes/take',
    text: `SELECT id, environment, provider, headers, body, ${epochMs('received_at')} AS "receivedMs" FROM provider_pushes ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
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
