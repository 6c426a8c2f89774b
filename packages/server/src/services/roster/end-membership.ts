import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import type { Queryable } from '../../store/database.ts';
import { markMemberRemoved, type OwnMember } from '../../store/roster-members.ts';
import { revokeSessionsOfUser } from '../../store/sdk-sessions.ts';
import { withdrawUser } from '../../store/withdrawn-users.ts';
import { record } from '../audit/record.ts';

/**
 * Ends what a member shares, in a transaction that holds the roster. A user of the person's own goes out of the organization's sight, and its
 * phones deliver no more; one of the organization's stays as it is. No data is touched.
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
