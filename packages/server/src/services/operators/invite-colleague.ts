import { ApiError, type OperatorRole } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { isMailAddress } from '../../mail/mail-address.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import { findOpenLinkById, type OperatorLink } from '../../store/accounts/operator-links.ts';
import { findOperatorByEmail, lockTeam } from '../../store/accounts/operators.ts';
import { record } from '../audit/record.ts';
import { createOperatorLink } from './operator-link.ts';

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
