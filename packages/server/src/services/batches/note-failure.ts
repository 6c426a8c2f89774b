import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database/database.ts';
import { insertDeadLetter } from '../../store/uploads/dead-letters.ts';
import {
  deletePendingBatches,
  recordAttempts,
  type ClaimedBatch,
} from '../../store/uploads/pending-batches.ts';
import { writeReceipts } from '../../store/uploads/receipts.ts';
import { holdUser } from '../../store/users/locks.ts';

/** After this many attempts a batch becomes a dead letter. */
export const mostAttempts = 8;
const firstPauseMs = 100;

/** Records that processing a batch failed. It is retried with exponential backoff and finally becomes a dead letter. */
export async function noteFailure(
  ctx: Pick<Context, 'operator' | 'log' | 'metrics'>,
  batch: ClaimedBatch,
  error: unknown,
): Promise<void> {
  const attempts = batch.attempts + 1;
  if (attempts < mostAttempts) {
    await recordAttempts(ctx.operator, [batch], firstPauseMs * 2 ** batch.attempts);
    return;
  }
  const { userId, batchId } = batch;
  const setAside = await inTransaction(ctx.operator, async (tx) => {
    if (!(await holdUser(tx, userId))) return false; // the user is being erased, with all batches
    // The transaction of a lost session may have been committed after all.
    if ((await deletePendingBatches(tx, [batch])) === 0) return false;
    await Promise.all([
      insertDeadLetter(tx, { userId, batchId, attempts, reason: reasonOf(error) }),
      writeReceipts(tx, [{ userId, batchId, failed: true, counts: [], rejected: [] }]),
    ]);
    return true;
  });
  if (!setAside) return;
  ctx.metrics.deadLetters.inc();
  ctx.log.error({ err: error, attempts }, 'batch became a dead letter: see `tributary dead-letter list`');
}

/** Thrown in the name of a database session that ended while it processed a batch. */
class SessionLostError extends Error {
  override name = 'SessionLostError';
}

/** Records that the database session was lost while it processed these batches. Each of them is then tried by itself. */
export async function noteLostSession(
  ctx: Pick<Context, 'operator' | 'log' | 'metrics'>,
  batches: readonly ClaimedBatch[],
): Promise<void> {
  const again = batches.filter(({ attempts }) => attempts + 1 < mostAttempts);
  const mostBefore = Math.max(0, ...again.map(({ attempts }) => attempts));
  if (again.length > 0) await recordAttempts(ctx.operator, again, firstPauseMs * 2 ** mostBefore);
  const error = new SessionLostError('The database session was lost while it processed the batch.');
  for (const batch of batches) if (!again.includes(batch)) await noteFailure(ctx, batch, error);
}

/** The error without its message, in which PostgreSQL or a parser may quote health data. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: string };
  return `${error.name}${code ? ` ${code}` : ''}`;
}
