import type { Context } from '../../context.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { lockRoster } from '../../store/roster/locks.ts';
import { findMemberByLink, findOwnMember } from '../../store/roster/members.ts';
import { asBearer, becomeTenant } from '../../store/database/tenant.ts';
import { markWithdrawnDeleting } from '../../store/users/withdrawn.ts';
import { beginErasure } from '../users/begin-erasure.ts';
import { endMembership } from './end-membership.ts';
import { viewMembership, type MembershipView } from './open-membership.ts';

/** Ends sharing at the person's request and, with `erase`, deletes all their data. Returns null for an invalid link. */
export function leaveRoster(
  ctx: Context,
  token: string,
  { erase }: { erase: boolean },
  from: { address: string; requestId: string },
): Promise<{ view: MembershipView } | null> {
  const hash = hashSecret(token);
  return asBearer(ctx.db, hash, async (tx) => {
    const row = await findMemberByLink(tx, hash);
    if (!row) return null;
    const { id, tenant } = row;
    await becomeTenant(tx, tenant);
    await lockRoster(tx, tenant);
    const acting: Acting = { ...tenant, actor: { type: 'person', id: formatId('mem', id), ...from } };
    const member = (await findOwnMember(tx, tenant, id))!; // this transaction found the link
    if (member.status !== 'removed') await endMembership(ctx, tx, acting, member, 'roster_member.left');
    // Erases only data that exists by this person's consent and is not shared again under another link.
    if (erase && member.born && (await markWithdrawnDeleting(tx, tenant, member.userId)))
      await beginErasure(ctx, tx, acting, member.userId);
    return { view: await viewMembership(tx, tenant, id) };
  });
}
