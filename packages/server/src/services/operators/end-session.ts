import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import { deleteOperatorSession } from '../../store/accounts/operator-sessions.ts';
import { record } from '../audit/record.ts';

/** Ends a session of a dashboard user. Throws `not_found`. */
export async function endSession(
  ctx: Pick<Context, 'operator' | 'newId'>,
  actor: Actor,
  { id, accountId }: { id: string; accountId: string },
  sessionId: string,
): Promise<void> {
  await inTransaction(ctx.operator, async (tx) => {
    if (!(await deleteOperatorSession(tx, id, sessionId))) throw new ApiError('not_found');
    await record(
      ctx,
      tx,
      { accountId, environment: null, actor },
      {
        action: 'operator.session_ended',
        target: { type: 'operator', id: formatId('op', id) },
      },
    );
  });
}
