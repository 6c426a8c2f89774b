import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import { countPasswordLinks, endLink } from '../../store/accounts/operator-links.ts';
import { findOperatorByEmail, lockTeam, replacePassword } from '../../store/accounts/operators.ts';
import { forgetTries } from '../../store/accounts/sign-in-guard.ts';
import { record } from '../audit/record.ts';
import { createOperatorLink, openOperatorLink } from './operator-link.ts';
import { hashEmail } from './sign-in.ts';

/** Limits reset mails per hour, because anyone who knows an address could flood its mailbox. */
const mostAnHour = 5;

/** Sends a password reset link if a dashboard user has this address. The response is the same if none has. */
export async function requestPasswordReset(
  ctx: Pick<Context, 'operator' | 'config' | 'keyring' | 'newId' | 'jobs'>,
  email: string,
): Promise<void> {
  const operator = await findOperatorByEmail(ctx.operator, email.trim());
  if (!operator) return;
  await inTransaction(ctx.operator, async (tx) => {
    await lockTeam(tx, operator.accountId);
    if ((await countPasswordLinks(tx, operator.id)) >= mostAnHour) return;
    const { id } = await createOperatorLink(ctx, tx, {
      accountId: operator.accountId,
      kind: 'password',
      email: operator.email,
      role: null,
      operatorId: operator.id,
    });
    await ctx.jobs.enqueue(tx, 'send-operator-mail', { key: id, data: { linkId: id } });
  });
}

/** Sets the password of the link's dashboard user once and ends their sessions. Throws `link_ended`. */
export async function resetPassword(
  ctx: Pick<Context, 'operator' | 'newId' | 'signIn'>,
  origin: Pick<Actor, 'address' | 'requestId'>,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const link = await openOperatorLink(ctx, token);
  if (link.operatorId === null || link.email === null) throw new ApiError('link_ended');
  const { id, accountId, operatorId, email } = link;
  const passwordHash = await ctx.signIn.hashPassword(password);
  await inTransaction(ctx.operator, async (tx) => {
    if (!(await endLink(tx, id, 'used'))) throw new ApiError('link_ended');
    await replacePassword(tx, operatorId, passwordHash);
    // The link proves access to the mailbox, so earlier failed attempts no longer count.
    await forgetTries(tx, hashEmail(email));
    await record(
      ctx,
      tx,
      {
        accountId,
        environment: null,
        actor: { type: 'operator', id: formatId('op', operatorId), ...origin },
      },
      {
        action: 'operator.password_changed',
        target: { type: 'operator', id: formatId('op', operatorId) },
        data: { by: 'mail' },
      },
    );
  });
}
