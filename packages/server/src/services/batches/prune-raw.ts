import type { Context } from '../../context.ts';
import { deleteOldBatches, listOldBatches } from '../../store/uploads/old-batches.ts';
import { inLongTransaction } from '../../store/database/long-transaction.ts';

/** Batches listed per query. Listing them scans all pages that contain old batches. */
const mostListed = 50_000;
/** Maximum number of batches removed in one transaction. */
const mostRemoved = 1_000;

/**
 * Removes processed raw batches that are past retention, with their receipts, and records on their users that raw data is no longer complete. Skips
 * batches of users that a worker is processing right now. The next run removes them.
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
