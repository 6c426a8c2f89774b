import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import { findLastInvitationMail } from '../../store/mails.ts';
import { findInvitation, type Invitation } from '../../store/roster-invitations.ts';
import { lockRoster } from '../../store/roster-locks.ts';
import { asTenant } from '../../store/tenant.ts';
import { record } from '../audit/record.ts';
import { requestMail } from '../mails/request-mail.ts';
import { rosterNotFound } from './roster-not-found.ts';

/** Between two mails to a person who has not answered. */
const restMs = 3_600_000;

/**
 * Mails an invitation again that can still be answered: the same link, until the same day. One whose mail is on its way stays as it is.
 * Throws `not_found`, `link_ended` or `rate_limited`.
 */
export function resendInvitation(ctx: Context, acting: Acting, id: string): Promise<Invitation> {
  return asTenant(ctx.db, acting, async (tx) => {
    await lockRoster(tx, acting);
    const invitation = await findInvitation(tx, acting, id);
    if (!invitation) throw rosterNotFound('Invitation', formatId('inv', id));
    if (invitation.status !== 'pending') throw ended(invitation);
    if (invitation.mailStatus === 'waiting') return invitation;
    const last = await findLastInvitationMail(tx, acting, id);
    const leftMs = Date.parse(last?.createdAt ?? invitation.createdAt) + restMs - ctx.clock.now();
    if (leftMs > 0) throw tooSoon(leftMs);
    const { userId } = invitation;
    await requestMail(ctx, tx, acting, { kind: 'invitation', invitationId: id, userId });
    await record(ctx, tx, acting, {
      action: 'roster_invitation.resent',
      target: { type: 'roster_invitation', id: formatId('inv', id) },
      data: { user: formatId('user', userId) },
    });
    return (await findInvitation(tx, acting, id))!; // found by this transaction
  });
}

function ended({ status }: Invitation): ApiError {
  return new ApiError('link_ended', {
    message: `This invitation is ${status}, so its link cannot be answered any more. Invite the person anew.`,
    details: { status },
  });
}

function tooSoon(leftMs: number): ApiError {
  const minutes = Math.ceil(leftMs / 60_000);
  return new ApiError('rate_limited', {
    message: `This person was mailed less than an hour ago. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    retryAfterSeconds: Math.ceil(leftMs / 1000),
  });
}
