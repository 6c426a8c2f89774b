import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { revokeSessionOfUser, sessionExists } from '../../store/uploads/sdk-sessions.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';
import { sessionNotFound } from './session-not-found.ts';

/** Revokes a session of a user. Repeating it changes nothing. Throws `not_found`. */
export async function revokeSdkSession(
  ctx: Context,
  acting: Acting,
  session: { id: string; userId: string },
): Promise<void> {
  await asTenant(ctx.db, acting, async (tx) => {
    if (await revokeSessionOfUser(tx, acting, session))
      await record(ctx, tx, acting, {
        action: 'sdk_session.revoked',
        target: { type: 'sdk_session', id: session.id },
        data: { user: formatId('user', session.userId) },
      });
    else if (!(await sessionExists(tx, acting, session))) throw sessionNotFound(session.id);
  });
}
