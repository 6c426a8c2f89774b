import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { endInvitation, findInvitation } from '../../store/roster/invitations.ts';
import { lockRoster } from '../../store/roster/locks.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';
import { rosterNotFound } from './roster-not-found.ts';

/** Revokes a pending invitation and leaves any other unchanged. Throws `not_found`. */
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
