import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import { requeueDeadLetter } from '../../store/uploads/dead-letters.ts';
import { lockUser } from '../../store/layers/rebuild.ts';
import { record } from '../audit/record.ts';

/** Queues a dead letter for processing again. Returns false if it does not exist or its user is being erased. */
export function replayDeadLetter(
  ctx: Pick<Context, 'operator' | 'newId'>,
  actor: Actor,
  { userId, batchId }: { userId: string; batchId: string },
): Promise<boolean> {
  return inTransaction(ctx.operator, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || !(await requeueDeadLetter(tx, userId, batchId))) return false;
    const { accountId, environment } = user;
    await record(
      ctx,
      tx,
      { accountId, environment, actor },
      {
        action: 'batch.replayed',
        target: { type: 'batch', id: batchId },
        data: { user: formatId('user', userId) },
      },
    );
    return true;
  });
}
