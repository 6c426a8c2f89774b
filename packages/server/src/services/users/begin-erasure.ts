import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import { insertErasure } from '../../store/users/erasures.ts';
import { revokeInvitationsOfUser } from '../../store/roster/invitations.ts';
import { removeMemberOfUser } from '../../store/roster/members.ts';
import { revokeSessionsOfUser } from '../../store/uploads/sdk-sessions.ts';
import { record } from '../audit/record.ts';

/** Ends the sessions, invitations and membership of a user who was just marked as deleted, and enqueues the erasure. */
export async function beginErasure(
  ctx: Pick<Context, 'jobs' | 'newId'>,
  tx: Queryable,
  acting: Acting,
  userId: string,
): Promise<void> {
  const user = formatId('user', userId);
  await record(ctx, tx, acting, {
    action: 'user.deleted',
    target: { type: 'user', id: user },
    person: userId,
  });
  await revokeSessionsOfUser(tx, acting, userId);
  const data = { user, reason: 'user_deleted' };
  for (const id of await revokeInvitationsOfUser(tx, acting, userId)) {
    const target = { type: 'roster_invitation', id: formatId('inv', id) };
    await record(ctx, tx, acting, { action: 'roster_invitation.revoked', target, data });
  }
  const memberId = await removeMemberOfUser(tx, acting, userId);
  if (memberId) {
    const target = { type: 'roster_member', id: formatId('mem', memberId) };
    await record(ctx, tx, acting, { action: 'roster_member.removed', target, data });
  }
  await insertErasure(tx, acting, userId);
  await ctx.jobs.enqueue(tx, 'erase-user', { key: userId, data: { userId } });
}
