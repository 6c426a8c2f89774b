import type { BatchRejectionWire } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';

/** The processing state of a batch. */
export interface Receipt {
  status: 'accepted' | 'processed' | 'failed';
  /** new, updated, duplicate, rejected, deleted */
  counts: number[];
  rejected: BatchRejectionWire[];
}

/** The receipt of a user's batch, or null if the user never sent it. */
export async function findReceipt(db: Queryable, userId: string, batchId: string): Promise<Receipt | null> {
  const result = await db.query<{
    failed: boolean | null;
    counts: number[] | null;
    rejected: BatchRejectionWire[] | null;
  }>({
    name: 'receipts/find',
    text: `SELECT found.* FROM (SELECT set_config('tributary.user_id', $1, true) AS user_id OFFSET 0) AS scope,
           LATERAL (
             SELECT r.failed, r.counts, r.rejected FROM
               (SELECT user_id, batch_id FROM raw_batches WHERE user_id = $1::uuid AND batch_id = $2
                UNION SELECT user_id, batch_id FROM receipts WHERE user_id = $1::uuid AND batch_id = $2) AS b
               LEFT JOIN receipts r USING (user_id, batch_id)
             WHERE scope.user_id IS NOT NULL OFFSET 0
           ) AS found`,
    values: [userId, batchId],
  });
  const [row] = result.rows;
  if (!row) return null;
  return {
    status: row.failed === null ? 'accepted' : row.failed ? 'failed' : 'processed',
    counts: row.counts ?? [0, 0, 0, 0, 0],
    rejected: row.rejected ?? [],
  };
}

export interface ReceiptRow {
  userId: string;
  batchId: string;
  failed: boolean;
  counts: readonly number[];
  rejected: readonly BatchRejectionWire[];
}

/** Writes receipts and replaces existing ones. */
export async function writeReceipts(tx: Queryable, receipts: readonly ReceiptRow[]): Promise<void> {
  const count = (at: number) => receipts.map(({ counts }) => counts[at] ?? 0);
  await tx.query({
    name: 'receipts/write',
    text: `INSERT INTO receipts (user_id, batch_id, processed_at, failed, counts, rejected)
           SELECT user_id, batch_id, tributary_now(), failed, ARRAY[c0, c1, c2, c3, c4], rejected
           FROM unnest($1::uuid[], $2::uuid[], $3::bool[], $4::int4[], $5::int4[], $6::int4[], $7::int4[], $8::int4[], $9::jsonb[])
             AS r (user_id, batch_id, failed, c0, c1, c2, c3, c4, rejected)
           ON CONFLICT (user_id, batch_id) DO UPDATE
             SET processed_at = excluded.processed_at, failed = excluded.failed, counts = excluded.counts, rejected = excluded.rejected`,
    values: [
      receipts.map(({ userId }) => userId),
      receipts.map(({ batchId }) => batchId),
      receipts.map(({ failed }) => failed),
      ...[0, 1, 2, 3, 4].map(count),
      receipts.map(({ rejected }) => (rejected.length > 0 ? JSON.stringify(rejected) : null)),
    ],
  });
}
