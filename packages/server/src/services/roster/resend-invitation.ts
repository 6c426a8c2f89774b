import { ApiError } from '@tributary/contract';
import { hourMs, minuteMs } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { findLastInvitationMail } from '../../store/roster/mails.ts';
import { findInvitation, type Invitation } from '../../store/roster/invitations.ts';
import { lockRoster } from '../../store/roster/locks.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';
import { requestMail } from '../mails/request-mail.ts';
import { rosterNotFound } from './roster-not-found.ts';

/** Minimum time between two mails to a person who has not replied. */
const restMs = hourMs;

/**
 * Mails a pending invitation again with the same link and expiration. Does nothing while a mail is being sent. Throws `not_found`,
 * `link_ended` or `rate_limited`.
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
    return (await findInvitation(tx, acting, id))!; // this transaction found the invitation
  });
}

function ended({ status }: Invitation): ApiError {
  return new ApiError('link_ended', {
    message: `This invitation is ${status}, so its link no longer works. Send a new invitation.`,
    details: { status },
  });
}

function tooSoon(leftMs: number): ApiError {
  const minutes = Math.ceil(leftMs / minuteMs);
  return new ApiError('rate_limited', {
    message: `This person was emailed less than an hour ago. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    retryAfterSeconds: Math.ceil(leftMs / 1000),
  });
}
