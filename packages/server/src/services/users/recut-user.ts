import type { Context } from '../../context.ts';
import { inLongTransaction } from '../../store/long-transaction.ts';
import { lockUser } from '../../store/rebuild.ts';
import { awaitBatchesUnderWay } from '../batches/await-batches-under-way.ts';
import { rebuildAndTell } from './rebuild-and-tell.ts';

/** Cuts all days of a user anew by its timezone, and tells which answers are different now. */
export async function recutUser(
  ctx: Pick<Context, 'operator' | 'newId' | 'clock' | 'config'>,
  userId: string,
): Promise<void> {
  await awaitBatchesUnderWay(ctx); // one of them may cut by the timezone of before
  await inLongTransaction(ctx.operator, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user) await rebuildAndTell(ctx, tx, user, { from: 'normalized', change: 'updated', deviceId: null });
  });
}
