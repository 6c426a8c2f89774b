import type { Context } from '../../context.ts';
import { inLongTransaction } from '../../store/database/long-transaction.ts';
import { lockUser } from '../../store/layers/rebuild.ts';
import { awaitBatchesUnderWay } from '../batches/await-batches-under-way.ts';
import { rebuildAndNotify } from './rebuild-and-notify.ts';

/** Splits all data of a user into days again after a time zone change, and inserts an event for the canonical values that changed. */
export async function recomputeUserDays(
  ctx: Pick<Context, 'operator' | 'newId' | 'clock' | 'config' | 'rawPayloads'>,
  userId: string,
): Promise<void> {
  await awaitBatchesUnderWay(ctx); // one of them may still use the previous time zone
  await inLongTransaction(ctx.operator, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user)
      await rebuildAndNotify(ctx, tx, user, { from: 'normalized', change: 'updated', deviceId: null });
  });
}
