import type { Queryable } from '../database/database.ts';

/** How far earlier payloads are encrypted. */
export interface EncryptionProgress {
  startedAt: string | null;
  finishedAt: string | null;
  /** The last batch of the current pass that was checked. */
  lastUser: string | null;
  lastBatch: string | null;
  scanned: number;
  encrypted: number;
}

/** Whether nodes encrypt new payloads. */
export async function isEncryptionStarted(db: Queryable): Promise<boolean> {
  const result = await db.query<{ isStarted: boolean }>({
    name: 'raw-encryption/is-started',
    text: 'SELECT started_at IS NOT NULL AS "isStarted" FROM raw_encryption',
  });
  return result.rows[0]?.isStarted ?? false;
}

export async function findEncryptionProgress(db: Queryable): Promise<EncryptionProgress> {
  const result = await db.query<EncryptionProgress>({
    text: `SELECT started_at AS "startedAt", finished_at AS "finishedAt", last_user AS "lastUser", last_batch AS "lastBatch", scanned, encrypted
           FROM raw_encryption`,
  });
  return result.rows[0]!;
}

/** Makes all nodes encrypt new payloads. Returns false if they do already. */
export async function startEncryption(db: Queryable): Promise<boolean> {
  const result = await db.query({
    text: 'UPDATE raw_encryption SET started_at = tributary_now() WHERE started_at IS NULL',
  });
  return result.rowCount === 1;
}

/** Records the last batch that was checked, and adds to the counts. */
export async function advanceEncryption(
  db: Queryable,
  last: { userId: string; batchId: string },
  counts: { scanned: number; encrypted: number },
): Promise<void> {
  await db.query({
    text: `UPDATE raw_encryption SET last_user = $1, last_batch = $2, scanned = scanned + $3, encrypted = encrypted + $4, finished_at = NULL`,
    values: [last.userId, last.batchId, counts.scanned, counts.encrypted],
  });
}

/** Begins the next pass at the first batch. `isFinished` records that this pass found nothing to encrypt. */
export async function endEncryptionPass(db: Queryable, isFinished: boolean): Promise<void> {
  await db.query({
    text: `UPDATE raw_encryption SET last_user = NULL, last_batch = NULL, scanned = 0,
             finished_at = CASE WHEN $1 THEN tributary_now() END`,
    values: [isFinished],
  });
}
