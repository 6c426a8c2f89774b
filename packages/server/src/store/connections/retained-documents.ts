import type { Queryable } from '../database/database.ts';
import { positionOffset, type BatchPriority } from '../uploads/batch-priority.ts';

/** One batch of documents, ready to be committed. */
export interface DocumentBatch {
  batchId: string;
  createdMs: number;
  digest: Buffer;
  /** Compressed, then encrypted. */
  payload: Buffer;
}

/** Locks the connection of a run until the transaction ends; false if the run is over because another began or the device is gone. */
export async function holdRun(tx: Queryable, run: { deviceId: string; runNo: number }): Promise<boolean> {
  const result = await tx.query({
    name: 'connections/hold-run',
    text: `SELECT FROM connections c JOIN devices d ON d.user_id = c.user_id AND d.id = c.device_id
           WHERE c.device_id = $1 AND c.run_no = $2 AND d.removed_at IS NULL FOR SHARE OF c, d`,
    values: [run.deviceId, run.runNo],
  });
  return result.rowCount === 1;
}

/**
 * The same for a push, which arrives at any time and is recorded in the connection; false without a consent. Removing a device also changes its
 * connection, so locking the connection is enough. A push may concern several users, whose devices a worker may be writing in another order.
 */
export async function holdConsent(tx: Queryable, deviceId: string): Promise<boolean> {
  const connection = await tx.query({
    name: 'connections/hold-consent',
    text: `SELECT FROM connections WHERE device_id = $1 AND tokens IS NOT NULL FOR NO KEY UPDATE`,
    values: [deviceId],
  });
  if (connection.rowCount !== 1) return false;
  const device = await tx.query({
    name: 'connections/hold-consent-device',
    text: `SELECT FROM connections c JOIN devices d ON d.user_id = c.user_id AND d.id = c.device_id
           WHERE c.device_id = $1 AND d.removed_at IS NULL`,
    values: [deviceId],
  });
  return device.rowCount === 1;
}

/** Commits batches of documents together with their pending state. History waits behind new data. A batch with a known id is skipped. */
export async function insertDocumentBatches(
  tx: Queryable,
  userId: string,
  scopes: number,
  batches: readonly DocumentBatch[],
  priority: BatchPriority = 'live',
): Promise<void> {
  for (const { batchId, createdMs, digest, payload } of batches)
    await tx.query({
      name: 'raw-batches/insert-documents',
      text: `WITH taken AS (
               INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, kind, payload)
               VALUES ($1, $2, tributary_now(), to_timestamp($3::float8 / 1000), $4, $5, 'documents', $6)
               ON CONFLICT (user_id, batch_id) DO NOTHING RETURNING user_id, batch_id, octet_length(payload) AS bytes
             )
             INSERT INTO pending_batches (partition, position, user_id, batch_id, bytes, account_id)
             SELECT partition_of(user_id), $7 + nextval('pending_order'), user_id, batch_id, bytes,
               (SELECT u.account_id FROM users u WHERE u.id = user_id) FROM taken`,
      values: [userId, batchId, createdMs, scopes, digest, payload, positionOffset[priority]],
    });
}

/** The joined hashes of a stream at its last sync. */
export async function findSeen(db: Queryable, deviceId: string, stream: string): Promise<Buffer | null> {
  const result = await db.query<{ seen: Buffer }>({
    name: 'connection-streams/find',
    text: 'SELECT seen FROM connection_streams WHERE device_id = $1 AND stream = $2',
    values: [deviceId, stream],
  });
  return result.rows[0]?.seen ?? null;
}

export async function writeSeen(
  tx: Queryable,
  { deviceId, userId }: { deviceId: string; userId: string },
  stream: string,
  seen: Buffer,
): Promise<void> {
  await tx.query({
    name: 'connection-streams/write',
    text: `INSERT INTO connection_streams (device_id, user_id, stream, seen) VALUES ($1, $2, $3, $4)
           ON CONFLICT (device_id, stream) DO UPDATE SET seen = $4`,
    values: [deviceId, userId, stream, seen],
  });
}
