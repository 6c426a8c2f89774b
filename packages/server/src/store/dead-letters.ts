import type { Queryable } from './database.ts';

/** A batch that was set aside. */
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
