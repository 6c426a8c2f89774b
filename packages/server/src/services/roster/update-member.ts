import type { MemberStatus } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { lockRoster } from '../../store/roster/locks.ts';
import { updateMemberStatus, type Member } from '../../store/roster/members.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';
import { rosterNotFound } from './roster-not-found.ts';

/** Archives or reactivates a member. Throws `not_found`, also for a removed member. */
export function updateMember(
  ctx: Context,
  acting: Acting,
  id: string,
  status: MemberStatus,
): Promise<Member> {
  return asTenant(ctx.db, acting, async (tx) => {
    await lockRoster(tx, acting);
    const updated = await updateMemberStatus(tx, acting, id, status);
    if (!updated) throw rosterNotFound('Member', formatId('mem', id));
    if (updated.changed)
      await record(ctx, tx, acting, {
        action: status === 'archived' ? 'roster_member.archived' : 'roster_member.reactivated',
        target: { type: 'roster_member', id: formatId('mem', id) },
        data: { user: formatId('user', updated.member.userId) },
      });
    return updated.member;
  });
}
