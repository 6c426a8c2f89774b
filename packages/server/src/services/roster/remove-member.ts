import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { lockRoster } from '../../store/roster/locks.ts';
import { findOwnMember } from '../../store/roster/members.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { endMembership } from './end-membership.ts';
import { rosterNotFound } from './roster-not-found.ts';

/** Removes a member, including one that was removed before. Throws `not_found`. */
export async function removeMember(ctx: Context, acting: Acting, id: string): Promise<void> {
  await asTenant(ctx.db, acting, async (tx) => {
    await lockRoster(tx, acting);
    const member = await findOwnMember(tx, acting, id);
    if (!member) throw rosterNotFound('Member', formatId('mem', id));
    if (member.status !== 'removed') await endMembership(ctx, tx, acting, member, 'roster_member.removed');
  });
}
