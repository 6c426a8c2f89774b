import { ApiError, type OperatorRole } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { isMailAddress } from '../../mail/mail-address.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import {
  countInvitations,
  findOpenLinkById,
  type OperatorLink,
} from '../../store/accounts/operator-links.ts';
import { findOperatorByEmail, lockTeam } from '../../store/accounts/operators.ts';
import { record } from '../audit/record.ts';
import { createOperatorLink } from './operator-link.ts';

const mostOpen = 50;
/** Invitations go to any address that an owner enters, so an account must not become a source of unwanted mail. */
const mostMailsPerHour = 20;

/** Invites a colleague by mail to join an account. Revokes an open invitation to the same address. */
export async function inviteColleague(
  ctx: Pick<Context, 'operator' | 'config' | 'keyring' | 'newId' | 'jobs'>,
  actor: Actor,
  {
    accountId,
    email,
    role,
    invitedBy,
  }: { accountId: string; email: string; role: OperatorRole; invitedBy: string },
): Promise<OperatorLink> {
  if (!isMailAddress(email))
    throw new ApiError('invalid_request', {
      message: 'Enter a valid email address, such as ada@example.com.',
    });
  if (ctx.config.mail === null)
    throw new ApiError('roster_not_configured', {
      message:
        'Email is not configured. Set SMTP_URL and MAIL_FROM, or create a link with `tributary operator invite`.',
      details: { missing: ['mail_sender'] },
    });
  return inTransaction(ctx.operator, async (tx) => {
    await lockTeam(tx, accountId);
    if (await findOperatorByEmail(tx, email)) throw new ApiError('operator_exists');
    const { id } = await createOperatorLink(ctx, tx, {
      accountId,
      kind: 'invitation',
      email,
      role,
      invitedBy,
    });
    await requireRoom(tx, accountId);
    await ctx.jobs.enqueue(tx, 'send-operator-mail', { key: id, data: { linkId: id } });
    await record(
      ctx,
      tx,
      { accountId, environment: null, actor },
      {
        action: 'operator.invited',
        target: { type: 'operator_invitation', id: formatId('oli', id) },
        data: { role },
      },
    );
    return (await findOpenLinkById(tx, id))!; // inserted by this transaction
  });
}

/** Throws `too_many_invitations` or `rate_limited` if an account exceeds a limit with the invitation that this transaction added. */
async function requireRoom(tx: Queryable, accountId: string): Promise<void> {
  const { open, mailed, freeInSeconds } = await countInvitations(tx, accountId);
  if (open > mostOpen)
    throw new ApiError('too_many_invitations', {
      message: `This account already has ${mostOpen} open invitations. Revoke some of them, or wait until they are used.`,
      details: { limit: mostOpen },
    });
  if (mailed > mostMailsPerHour) {
    const minutes = Math.max(1, Math.ceil((freeInSeconds ?? 0) / 60));
    throw new ApiError('rate_limited', {
      message: `This account sent ${mostMailsPerHour} invitations within an hour. Wait ${minutes} minute${minutes === 1 ? '' : 's'}, or create a link with \`tributary operator invite\`.`,
      details: { limit: mostMailsPerHour },
      retryAfterSeconds: Math.max(1, freeInSeconds ?? 0),
    });
  }
}

/** Creates a link to join an account without a mail, for the first dashboard user, from the command line. */
export function createJoinLink(
  ctx: Pick<Context, 'operator' | 'config' | 'keyring' | 'newId'>,
  actor: Actor,
  { accountId, email, role }: { accountId: string; email: string | null; role: OperatorRole },
): Promise<string> {
  return inTransaction(ctx.operator, async (tx) => {
    await lockTeam(tx, accountId);
    const { id, url } = await createOperatorLink(ctx, tx, { accountId, kind: 'owner', email, role });
    await record(
      ctx,
      tx,
      { accountId, environment: null, actor },
      {
        action: 'operator.invited',
        target: { type: 'operator_invitation', id: formatId('oli', id) },
        data: { role },
      },
    );
    return url;
  });
}
