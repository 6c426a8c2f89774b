import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import { endInvitation, findInvitation } from '../../store/roster-invitations.ts';
import { lockRoster } from '../../store/roster-locks.ts';
import { asTenant } from '../../store/tenant.ts';
import { record } from '../audit/record.ts';
import { rosterNotFound } from './roster-not-found.ts';

/** Ends an invitation that can still be answered, and leaves any other as it is; throws `not_found`. */
export async function revokeInvitation(ctx: Context, acting: Acting, id: string): Promise<void> {
  await asTenant(ctx.db, acting, async (tx) => {
    await lockRoster(tx, acting);
    const invitation = await findInvitation(tx, acting, id);
    if (!invitation) throw rosterNotFound('Invitation', formatId('inv', id));
    if (!(await endInvitation(tx, acting, id, { status: 'revoked' }))) return;
    await record(ctx, tx, acting, {
      action: 'roster_invitation.revoked',
      target: { type: 'roster_invitation', id: formatId('inv', id) },
      data: { user: formatId('user', invitation.userId) },
    });
  });
}
