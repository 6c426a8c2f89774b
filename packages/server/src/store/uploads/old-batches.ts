import type { Queryable } from '../database/database.ts';

interface BatchKey {
  userId: string;
  batchId: string;
}

const cutoff = (days: string) => `(tributary_now() - ${days} * interval '1 day')`;

/** Processed batches received longer ago than `olderThanDays`, grouped by user. */
export async function listOldBatches(
  tx: Queryable,
  olderThanDays: number,
  limit: number,
): Promise<BatchKey[]> {
  const result = await tx.query<BatchKey>({
    text: `SELECT * FROM (
             SELECT b.user_id AS "userId", b.batch_id AS "batchId" FROM raw_batches b
             JOIN receipts r ON r.user_id = b.user_id AND r.batch_id = b.batch_id AND NOT r.failed
             WHERE b.received_at < ${cutoff('$1')} LIMIT $2
           ) AS old ORDER BY "userId"`,
    values: [olderThanDays, limit],
  });
  return result.rows;
}

/** Deletes these batches and their receipts for users that no other session has locked, and records since when their raw layer is complete. */
export async function deleteOldBatches(
  tx: Queryable,
  olderThanDays: number,
  batches: readonly BatchKey[],
): Promise<number> {
  const locked = await tx.query<{ id: string }>({
    text: `SELECT id FROM users WHERE id = ANY ($1::uuid[]) AND status <> 'deleting' AND try_lock_user(id)`,
    values: [[...new Set(batches.map(({ userId }) => userId))]],
  });
  const users = locked.rows.map(({ id }) => id);
  const mine = new Set(users);
  const own = batches.filter(({ userId }) => mine.has(userId));
  await tx.query({
    text: `UPDATE users SET raw_complete_since = greatest(raw_complete_since, ${cutoff('$2')}) WHERE id = ANY ($1::uuid[])`,
    values: [users, olderThanDays],
  });
  const removed = await tx.query<{ count: number }>({
    text: `WITH gone AS (
             DELETE FROM raw_batches b USING unnest($1::uuid[], $2::uuid[]) AS old (user_id, batch_id)
             WHERE b.user_id = old.user_id AND b.batch_id = old.batch_id AND b.received_at < ${cutoff('$3')}
             RETURNING b.user_id, b.batch_id
           ), emitted AS (
             DELETE FROM receipts r USING gone WHERE r.user_id = gone.user_id AND r.batch_id = gone.batch_id
           )
           SELECT count(*) FROM gone`,
    values: [own.map(({ userId }) => userId), own.map(({ batchId }) => batchId), olderThanDays],
  });
  return removed.rows[0]!.count;
}
