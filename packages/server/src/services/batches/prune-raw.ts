import type { Context } from '../../context.ts';
import { deleteOldBatches, listOldBatches } from '../../store/old-batches.ts';
import { inLongTransaction } from '../../store/long-transaction.ts';

/** Batches looked up at once; finding them takes a look at all pages that hold old ones. */
const mostListed = 50_000;
/** Batches removed in one transaction, at most. */
const mostRemoved = 1_000;

/**
 * Removes raw batches that arrived longer ago than the retention and are in the answers, with their receipts, and notes on their users that
 * raw is not complete any more. Batches of users that someone works on at this moment are left for the next time.
 */
export async function pruneRaw(ctx: Pick<Context, 'operator' | 'config'>): Promise<{ batches: number }> {
  const { rawRetentionDays } = ctx.config.ingest;
  let batches = 0;
  for (;;) {
    const old = await inLongTransaction(ctx.operator, (tx) =>
      listOldBatches(tx, rawRetentionDays, mostListed),
    );
    let removed = 0;
    for (let at = 0; at < old.length; at += mostRemoved) {
      const piece = old.slice(at, at + mostRemoved);
      removed += await inLongTransaction(ctx.operator, (tx) => deleteOldBatches(tx, rawRetentionDays, piece));
    }
    batches += removed;
    if (old.length < mostListed || removed === 0) return { batches };
  }
}
