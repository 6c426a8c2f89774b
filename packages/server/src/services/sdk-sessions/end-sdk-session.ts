import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { revokeActiveSession } from '../../store/uploads/sdk-sessions.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';

/** Revokes the caller's own session. Throws `invalid_token` if it is already revoked. */
export async function endSdkSession(
  ctx: Context,
  acting: Acting,
  session: { id: string; userId: string },
): Promise<void> {
  await asTenant(ctx.db, acting, async (tx) => {
    if (!(await revokeActiveSession(tx, acting, session))) throw new ApiError('invalid_token');
    await record(ctx, tx, acting, {
      action: 'sdk_session.ended',
      target: { type: 'sdk_session', id: session.id },
      data: { user: formatId('user', session.userId) },
      person: session.userId,
    });
  });
}
