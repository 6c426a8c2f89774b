import { findMetric, scoreMetrics, type ConsolidationSettings } from '@tributary/domain';
import type { Queryable } from './database.ts';
import { devicesOf, epochMs, type DeviceRow } from './pending-batches.ts';
import type { BatchKind } from './raw-batches.ts';
import type { Environment } from './tenant.ts';

/** A user whose layers are about to be worked out again, and who is locked until the transaction ends. */
export interface LockedUser {
  userId: string;
  accountId: string;
  environment: Environment;
  timezone: string;
  settings: ConsolidationSettings;
  rawCompleteSince: string | null;
  devices: DeviceRow[] | null;
}

/** Locks a user as everything does that writes the user's layers; null when there is no such user any more. */
export async function lockUser(tx: Queryable, userId: string): Promise<LockedUser | null> {
  await tx.query({ text: `SELECT lock_user($1)`, values: [userId] });
  // Read by a statement of its own: it sees what was committed while this one waited for the lock.
  const result = await tx.query<LockedUser>({
    text: `SELECT u.id AS "userId", u.account_id AS "accountId", u.environment, coalesce(u.timezone, 'UTC') AS timezone, u.consolidation AS settings,
             u.raw_complete_since AS "rawCompleteSince", ${devicesOf('u.id')} AS devices
           FROM users u WHERE u.id = $1 AND u.status <> 'deleting'`,
    values: [userId],
  });
  return result.rows[0] ?? null;
}

export interface RawRow {
  batchId: string;
  createdMs: number;
  receivedMs: number;
  scopes: number;
  kind: BatchKind | null;
  payload: Buffer;
}

/** Raw batches of a user that were processed, in order of arrival, after the given one. */
export async function readRawAfter(
  tx: Queryable,
  userId: string,
  afterBatchId: string | null,
  limit: number,
): Promise<RawRow[]> {
  // Compared inside the database: documents arrive at microseconds, which `receivedMs` rounds, and a page would repeat or skip batches.
  const result = await tx.query<RawRow>({
    text: `SELECT batch_id AS "batchId", ${epochMs('created_at')} AS "createdMs", ${epochMs('received_at')} AS "receivedMs", scopes, kind, payload
           FROM raw_batches b JOIN receipts r USING (user_id, batch_id)
           WHERE user_id = $1 AND NOT r.failed AND ($2::uuid IS NULL
             OR (received_at, batch_id) > (SELECT received_at, batch_id FROM raw_batches WHERE user_id = $1 AND batch_id = $2))
           ORDER BY received_at, batch_id LIMIT $3`,
    values: [userId, afterBatchId, limit],
  });
  return result.rows;
}

const normalized = [
  'sample_chunks',
  'device_days',
  'device_sleep',
  'device_workouts',
  'device_records',
] as const;
const canonical = ['canonical_months', 'canonical_sleep', 'canonical_workouts'] as const;

/** Empties the normalized layer of a user. */
export async function clearNormalized(tx: Queryable, userId: string): Promise<void> {
  for (const table of normalized)
    await tx.query({ text: `DELETE FROM ${table} WHERE user_id = $1`, values: [userId] });
}

/** Empties what follows from samples, sessions and reported totals. What scores gave stays until they are worked out again. */
export async function clearCanonical(tx: Queryable, userId: string): Promise<void> {
  await tx.query({
    text: 'DELETE FROM canonical_months WHERE user_id = $1 AND metric_no <> ALL ($2::int2[])',
    values: [userId, scoreMetrics.map((id) => findMetric(id)!.no)],
  });
  for (const table of ['canonical_sleep', 'canonical_workouts'])
    await tx.query({ text: `DELETE FROM ${table} WHERE user_id = $1`, values: [userId] });
}

export interface ChunkRow {
  metricNo: number;
  deviceNo: number;
  chunk: number;
  data: Buffer;
}

/** Chunks of a user in order of their key, after the given one. */
export async function readChunksAfter(
  tx: Queryable,
  userId: string,
  after: Omit<ChunkRow, 'data'>,
  limit: number,
): Promise<ChunkRow[]> {
  const result = await tx.query<ChunkRow>({
    text: `SELECT metric_no AS "metricNo", device_no AS "deviceNo", chunk, data FROM sample_chunks
           WHERE user_id = $1 AND (metric_no, device_no, chunk) > ($2, $3, $4) ORDER BY metric_no, device_no, chunk LIMIT $5`,
    values: [userId, after.metricNo, after.deviceNo, after.chunk, limit],
  });
  return result.rows;
}

/** One digest over all answers of a user, to tell whether they changed. */
export async function digestCanonical(tx: Queryable, userId: string): Promise<string> {
  const digests: string[] = [];
  for (const table of canonical) {
    const result = await tx.query<{ digest: string | null }>({
      text: `SELECT md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) AS digest FROM ${table} t WHERE user_id = $1`,
      values: [userId],
    });
    digests.push(result.rows[0]!.digest ?? '');
  }
  return digests.join('/');
}
