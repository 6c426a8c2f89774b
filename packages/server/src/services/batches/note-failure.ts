import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database.ts';
import { insertDeadLetter } from '../../store/dead-letters.ts';
import { deletePendingBatches, postponePendingBatch, type TakenBatch } from '../../store/pending-batches.ts';
import { writeReceipts } from '../../store/receipts.ts';
import { holdUser } from '../../store/user-locks.ts';

/** After this many attempts a batch is set aside. */
export const mostAttempts = 8;
const firstPauseMs = 100;

/** Notes that a batch could not be worked on: it comes back after a pause, twice as long each time, and is set aside in the end. */
export async function noteFailure(
  ctx: Pick<Context, 'operator' | 'log' | 'metrics'>,
  batch: TakenBatch,
  error: unknown,
): Promise<void> {
  const attempts = batch.attempts + 1;
  if (attempts < mostAttempts) {
    await postponePendingBatch(ctx.operator, batch, firstPauseMs * 2 ** batch.attempts);
    return;
  }
  const { userId, batchId } = batch;
  const setAside = await inTransaction(ctx.operator, async (tx) => {
    if (!(await holdUser(tx, userId))) return false; // it is being erased, with all its batches
    await Promise.all([
      insertDeadLetter(tx, { userId, batchId, attempts, reason: reasonOf(error) }),
      writeReceipts(tx, [{ userId, batchId, failed: true, counts: [], rejected: [] }]),
      deletePendingBatches(tx, [batch]),
    ]);
    return true;
  });
  if (!setAside) return;
  ctx.metrics.deadLetters.inc();
  ctx.log.error({ err: error, attempts }, 'batch set aside: see `tributary dead-letter list`');
}

/** What went wrong, without what PostgreSQL or a parser may quote of the data. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: string };
  return `${error.name}${code ? ` ${code}` : ''}`;
}
