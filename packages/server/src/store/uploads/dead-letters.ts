import type { Queryable } from '../database/database.ts';
import type { BatchKind } from './raw-batches.ts';

/** A batch that could not be processed. */
export interface DeadLetter {
  userId: string;
  batchId: string;
  attempts: number;
  reason: string;
}

export async function insertDeadLetter(tx: Queryable, letter: DeadLetter): Promise<void> {
  await tx.query({
    text: `INSERT INTO dead_letters (user_id, batch_id, attempts, reason) VALUES ($1, $2, $3, $4)
           ON CONFLICT (user_id, batch_id) DO UPDATE SET attempts = excluded.attempts, reason = excluded.reason, failed_at = tributary_now()`,
    values: [letter.userId, letter.batchId, letter.attempts, letter.reason],
  });
}

export interface ListedDeadLetter extends DeadLetter {
  failedAt: string;
}

const columns = `d.user_id AS "userId", d.batch_id AS "batchId", d.attempts, d.reason, d.failed_at AS "failedAt"`;

/** All dead letters, newest first. */
export async function listDeadLetters(db: Queryable): Promise<ListedDeadLetter[]> {
  const result = await db.query<ListedDeadLetter>({
    text: `SELECT ${columns} FROM dead_letters d ORDER BY d.failed_at DESC, d.batch_id`,
  });
  return result.rows;
}

/** A dead letter with its payload. */
export interface DeadLetterDetail extends ListedDeadLetter {
  receivedAt: string;
  createdAt: string;
  kind: BatchKind | null;
  payload: Buffer;
}

export async function findDeadLetter(
  db: Queryable,
  userId: string,
  batchId: string,
): Promise<DeadLetterDetail | null> {
  const result = await db.query<DeadLetterDetail>({
    text: `SELECT ${columns}, b.received_at AS "receivedAt", b.created_at AS "createdAt", b.kind, b.payload
           FROM dead_letters d JOIN raw_batches b USING (user_id, batch_id) WHERE d.user_id = $1 AND d.batch_id = $2`,
    values: [userId, batchId],
  });
  return result.rows[0] ?? null;
}

/** Returns a dead letter to the queue with its attempts reset; false if there is none. */
export async function requeueDeadLetter(tx: Queryable, userId: string, batchId: string): Promise<boolean> {
  const result = await tx.query({
    text: `WITH letter AS (
             DELETE FROM dead_letters WHERE user_id = $1 AND batch_id = $2 RETURNING user_id, batch_id
           ), emitted AS (
             DELETE FROM receipts r USING letter l WHERE r.user_id = l.user_id AND r.batch_id = l.batch_id AND r.failed
           )
           INSERT INTO pending_batches (partition, user_id, batch_id, bytes, account_id)
           SELECT partition_of(b.user_id), b.user_id, b.batch_id, octet_length(b.payload), u.account_id
           FROM raw_batches b JOIN letter l ON l.user_id = b.user_id AND l.batch_id = b.batch_id JOIN users u ON u.id = b.user_id`,
    values: [userId, batchId],
  });
  return result.rowCount === 1;
}
