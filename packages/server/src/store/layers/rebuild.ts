import { findMetric, scoreMetrics, type ConsolidationSettings, type Timezones } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import { devicesOf, epochMs, profileHeight, type DeviceRow } from '../uploads/pending-batches.ts';
import type { BatchKind } from '../uploads/raw-batches.ts';
import type { Environment } from '../database/tenant.ts';
import { timezonesOf } from '../users/timezones.ts';

/** A user whose layers are about to be recomputed, locked until the transaction ends. */
export interface LockedUser {
  userId: string;
  accountId: string;
  environment: Environment;
  timezones: Timezones;
  settings: ConsolidationSettings;
  heightCm: number | null;
  rawCompleteSince: string | null;
  devices: DeviceRow[] | null;
}

/** Locks a user like every writer of the user's layers; null if the user no longer exists. */
export async function lockUser(tx: Queryable, userId: string): Promise<LockedUser | null> {
  await tx.query({ text: `SELECT lock_user($1)`, values: [userId] });
  // A separate statement, to see what was committed while the previous one waited for the lock.
  const result = await tx.query<LockedUser>({
    text: `SELECT u.id AS "userId", u.account_id AS "accountId", u.environment, ${timezonesOf('u')} AS timezones, u.consolidation AS settings,
             ${profileHeight('u.profile')} AS "heightCm",
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

/** Processed raw batches of a user after the given one, in order of arrival. */
export async function readRawAfter(
  tx: Queryable,
  userId: string,
  afterBatchId: string | null,
  limit: number,
): Promise<RawRow[]> {
  // Compared inside the database: documents arrive with microseconds, which `receivedMs` rounds, so a page would repeat or skip batches.
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

/** Deletes the normalized layer of a user. */
export async function clearNormalized(tx: Queryable, userId: string): Promise<void> {
  for (const table of normalized)
    await tx.query({ text: `DELETE FROM ${table} WHERE user_id = $1`, values: [userId] });
}

/** Deletes canonical data derived from samples, sessions and reported totals. Score metrics stay until they are recomputed. */
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

/** Chunks of a user after the given one, in key order. */
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

/** One digest over all canonical data of a user, to detect changes. */
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
