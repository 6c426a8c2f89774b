import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import { markMemberRemoved, type OwnMember } from '../../store/roster/members.ts';
import { revokeSessionsOfUser } from '../../store/uploads/sdk-sessions.ts';
import { withdrawUser } from '../../store/users/withdrawn.ts';
import { record } from '../audit/record.ts';

/**
 * Ends a membership, in a transaction that holds the roster lock. A user created for the person is hidden from the organization and its
 * phones can no longer upload. A user of the organization is unchanged. No data is changed.
 */
export async function endMembership(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  acting: Acting,
  member: OwnMember,
  action: 'roster_member.removed' | 'roster_member.left',
): Promise<void> {
  const user = formatId('user', member.userId);
  const withdrawn = member.born && (await withdrawUser(tx, acting, member.userId));
  if (withdrawn) await revokeSessionsOfUser(tx, acting, member.userId);
  await markMemberRemoved(tx, acting, member.id);
  await record(ctx, tx, acting, {
    action,
    target: { type: 'roster_member', id: formatId('mem', member.id) },
    data: { user },
    person: member.userId,
  });
  if (withdrawn)
    await record(ctx, tx, acting, {
      action: 'user.withdrawn',
      target: { type: 'user', id: user },
      person: member.userId,
    });
}
