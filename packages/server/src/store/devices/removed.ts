import type { Queryable } from '../database/database.ts';
import type { BatchKind } from '../uploads/raw-batches.ts';

/** Locks the rows of a device until the transaction ends: its connection first, as sync does, and both before the user's row, as ingest does. */
export async function lockDevice(tx: Queryable, userId: string, deviceId: string): Promise<void> {
  await tx.query({ text: `SELECT set_config('tributary.user_id', $1, true)`, values: [userId] });
  await tx.query({
    text: 'SELECT FROM connections WHERE user_id = $1 AND device_id = $2 FOR NO KEY UPDATE',
    values: [userId, deviceId],
  });
  await tx.query({
    text: 'SELECT FROM devices WHERE user_id = $1 AND id = $2 FOR NO KEY UPDATE',
    values: [userId, deviceId],
  });
}

/** Hides a device of a locked user. Returns its provider, or null if the user has no such device. */
export async function hideDevice(tx: Queryable, userId: string, deviceId: string): Promise<string | null> {
  const result = await tx.query<{ provider: string }>({
    name: 'removed-devices/hide',
    text: `UPDATE devices SET removed_at = tributary_now() WHERE user_id = $1 AND id = $2 AND removed_at IS NULL RETURNING provider`,
    values: [userId, deviceId],
  });
  return result.rows[0]?.provider ?? null;
}

/** A hidden device whose history is not deleted yet. */
export interface RemovedDevice {
  deviceNo: number;
  provider: string;
  /** Null for a device that does not upload. */
  stableId: string | null;
}

export async function findRemovedDevice(
  tx: Queryable,
  userId: string,
  deviceId: string,
): Promise<RemovedDevice | null> {
  const result = await tx.query<RemovedDevice>({
    text: `SELECT device_no AS "deviceNo", provider, stable_id AS "stableId" FROM devices
           WHERE user_id = $1 AND id = $2 AND removed_at IS NOT NULL`,
    values: [userId, deviceId],
  });
  return result.rows[0] ?? null;
}

/** Devices that were hidden longer ago than `olderThanMs` and still exist, of users that are not being erased. */
export async function listOverdueRemovals(
  db: Queryable,
  olderThanMs: number,
  limit: number,
): Promise<{ userId: string; deviceId: string }[]> {
  const result = await db.query<{ userId: string; deviceId: string }>({
    text: `SELECT d.user_id AS "userId", d.id AS "deviceId" FROM devices d JOIN users u ON u.id = d.user_id AND u.status <> 'deleting'
           WHERE d.removed_at < tributary_now() - $1 * interval '1 millisecond' ORDER BY d.removed_at LIMIT $2`,
    values: [olderThanMs, limit],
  });
  return result.rows;
}

/** Deletes all data of one device, down to the samples. */
export async function deleteDeviceData(tx: Queryable, userId: string, deviceNo: number): Promise<void> {
  for (const table of ['sample_chunks', 'device_days', 'device_sleep', 'device_workouts', 'device_records'])
    await tx.query({
      text: `DELETE FROM ${table} WHERE user_id = $1 AND device_no = $2`,
      values: [userId, deviceNo],
    });
}

export async function deleteDeviceRow(tx: Queryable, userId: string, deviceNo: number): Promise<void> {
  await tx.query({
    text: 'DELETE FROM devices WHERE user_id = $1 AND device_no = $2',
    values: [userId, deviceNo],
  });
}

/** A raw batch that may belong to a removed device. */
interface RemovedBatch {
  batchId: string;
  kind: BatchKind | null;
  payload: Buffer;
}

/** Batches of a user received before the removal of a device, in pages by id. */
export async function readBatchesUpToRemoval(
  tx: Queryable,
  userId: string,
  deviceNo: number,
  afterBatchId: string,
  limit: number,
): Promise<RemovedBatch[]> {
  const result = await tx.query<RemovedBatch>({
    text: `SELECT b.batch_id AS "batchId", b.kind, b.payload FROM raw_batches b
           JOIN devices d ON d.user_id = b.user_id AND d.device_no = $2 AND b.received_at <= d.removed_at
           WHERE b.user_id = $1 AND b.batch_id > $3 ORDER BY b.batch_id LIMIT $4`,
    values: [userId, deviceNo, afterBatchId, limit],
  });
  return result.rows;
}

/** Deletes batches with everything that refers to them. */
export async function deleteBatches(
  tx: Queryable,
  userId: string,
  batchIds: readonly string[],
): Promise<void> {
  await tx.query({
    text: `DELETE FROM pending_batches WHERE partition = partition_of($1) AND user_id = $1 AND batch_id = ANY ($2::uuid[])`,
    values: [userId, batchIds],
  });
  for (const table of ['dead_letters', 'receipts', 'raw_batches'])
    await tx.query({
      text: `DELETE FROM ${table} WHERE user_id = $1 AND batch_id = ANY ($2::uuid[])`,
      values: [userId, batchIds],
    });
}
