import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database.ts';
import { requeueDeadLetter } from '../../store/dead-letters.ts';
import { lockUser } from '../../store/rebuild.ts';

/** Has a batch that was set aside tried again; false when there is no such batch, or its user is being erased. */
export function replayDeadLetter(
  ctx: Pick<Context, 'operator'>,
  { userId, batchId }: { userId: string; batchId: string },
): Promise<boolean> {
  return inTransaction(
    ctx.operator,
    async (tx) => (await lockUser(tx, userId)) !== null && requeueDeadLetter(tx, userId, batchId),
  );
}
