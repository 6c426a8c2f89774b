import type { Context } from '../../context.ts';
import { deriveLinkToken, linkPath } from '../../credentials/link-token.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import { getOrganization } from '../../store/accounts/organizations.ts';
import {
  endInvitation,
  findInvitation,
  findInvitationByLink,
  type Invitation,
} from '../../store/roster/invitations.ts';
import { lockRoster } from '../../store/roster/locks.ts';
import { insertMember } from '../../store/roster/members.ts';
import { asBearer, becomeTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';
import { requestMail } from '../mails/request-mail.ts';
import { openInvitation, viewInvitation, type InvitationView } from './open-invitation.ts';
import { provideUser, UserNotToBeHad } from './provide-user.ts';

/**
 * ended: the invitation was already accepted, declined, revoked or expired. unavailable: the organization cannot accept members now, and
 * the invitation stays pending.
 */
type ReplyOutcome = 'accepted' | 'declined' | 'ended' | 'unavailable';

export interface InvitationReply {
  outcome: ReplyOutcome;
  view: InvitationView;
  /** Path of the membership page, after accepting. */
  membershipPath: string | null;
}

/** Records a person's choice once. Returns null for an invalid link. */
export async function replyToInvitation(
  ctx: Context,
  token: string,
  reply: 'accept' | 'decline',
  from: { address: string; requestId: string },
): Promise<InvitationReply | null> {
  const hash = hashSecret(token);
  try {
    return await asBearer(ctx.db, hash, async (tx) => {
      const row = await findInvitationByLink(tx, hash);
      if (!row) return null;
      const { id, tenant } = row;
      await becomeTenant(tx, tenant);
      await lockRoster(tx, tenant);
      const acting: Acting = { ...tenant, actor: { type: 'person', id: formatId('inv', id), ...from } };
      const invitation = (await findInvitation(tx, tenant, id))!; // this transaction found the link
      const done = invitation.status === 'pending' && (await applyReply(ctx, tx, acting, invitation, reply));
      return { ...(done || ended), view: await viewInvitation(tx, tenant, id) };
    });
  } catch (error) {
    if (!(error instanceof UserNotToBeHad)) throw error;
    ctx.log.warn({ reason: error.reason }, 'failed to accept an invitation');
    const view = await openInvitation(ctx, token);
    return view && { outcome: 'unavailable', view, membershipPath: null };
  }
}

type ReplyResult = Pick<InvitationReply, 'outcome' | 'membershipPath'>;
const ended: ReplyResult = { outcome: 'ended', membershipPath: null };

async function applyReply(
  ctx: Context,
  tx: Queryable,
  acting: Acting,
  invitation: Invitation,
  reply: 'accept' | 'decline',
): Promise<ReplyResult | false> {
  if (reply === 'accept') return accept(ctx, tx, acting, invitation);
  if (!(await endInvitation(tx, acting, invitation.id, { status: 'declined' }))) return false;
  await recordReply(ctx, tx, acting, invitation, 'roster_invitation.declined');
  return { outcome: 'declined', membershipPath: null };
}

async function accept(
  ctx: Context,
  tx: Queryable,
  acting: Acting,
  invitation: Invitation,
): Promise<ReplyResult | false> {
  const { userId, email, name, kind } = invitation;
  const { suspended, userLimit } = await getOrganization(tx, acting);
  if (suspended) throw new UserNotToBeHad('the account is suspended');
  await provideUser(ctx, tx, acting, invitation, userLimit ?? ctx.config.limits.account.users);
  const id = ctx.newId();
  const keyVersion = ctx.keyring.newestVersion;
  const link = deriveLinkToken(ctx.keyring, 'membership', { id, keyVersion });
  await insertMember(tx, acting, {
    id,
    userId,
    born: kind !== 'existing',
    email,
    name,
    linkHash: hashSecret(link),
    linkKeyVersion: keyVersion,
  });
  if (!(await endInvitation(tx, acting, invitation.id, { status: 'accepted', memberId: id })))
    throw new UserNotToBeHad('the invitation ended in the meantime');
  await requestMail(ctx, tx, acting, { kind: 'welcome', invitationId: invitation.id, userId });
  await recordReply(ctx, tx, acting, invitation, 'roster_invitation.accepted');
  await record(ctx, tx, acting, {
    action: 'roster_member.joined',
    target: { type: 'roster_member', id: formatId('mem', id) },
    data: { user: formatId('user', userId), invitation: formatId('inv', invitation.id) },
    person: userId,
  });
  return { outcome: 'accepted', membershipPath: linkPath('membership', link) };
}

function recordReply(
  ctx: Context,
  tx: Queryable,
  acting: Acting,
  { id, userId }: Invitation,
  action: 'roster_invitation.accepted' | 'roster_invitation.declined',
): Promise<void> {
  return record(ctx, tx, acting, {
    action,
    target: { type: 'roster_invitation', id: formatId('inv', id) },
    data: { user: formatId('user', userId) },
    person: userId,
  });
}
