import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import { countPasswordLinks, endLink } from '../../store/accounts/operator-links.ts';
import { insertAddress } from '../../store/accounts/operator-addresses.ts';
import { findOperatorByEmailHash, lockTeam, replacePassword } from '../../store/accounts/operators.ts';
import { record } from '../audit/record.ts';
import { createOperatorLink, openOperatorLink } from './operator-link.ts';
import { forgetAttempts, hashAddress } from './password-attempts.ts';
import { hashEmail } from './sign-in.ts';

/** Limits reset mails per hour, because anyone who knows an address could flood its mailbox. */
const mostAnHour = 5;

/**
 * Requests a password reset link for an address. Whether a dashboard user has it is found out by a job, so the response and its time are the same for
 * all addresses.
 */
export async function requestPasswordReset(
  ctx: Pick<Context, 'operator' | 'jobs'>,
  email: string,
): Promise<void> {
  const resetEmailHash = hashEmail(email).toString('hex');
  await inTransaction(ctx.operator, (tx) =>
    ctx.jobs.enqueue(tx, 'send-operator-mail', { key: `reset-${resetEmailHash}`, data: { resetEmailHash } }),
  );
}

/** Creates a password reset link and enqueues its mail, if a dashboard user has the address with this hash. */
export async function preparePasswordReset(
  ctx: Pick<Context, 'operator' | 'config' | 'keyring' | 'newId' | 'jobs'>,
  emailHash: string,
): Promise<void> {
  const operator = await findOperatorByEmailHash(ctx.operator, Buffer.from(emailHash, 'hex'));
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
    // The link proves access to the mailbox: guesses of others must not slow down the sign-in that follows.
    if (origin.address !== null) await insertAddress(tx, operatorId, hashAddress(origin.address));
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
  await forgetAttempts(ctx, email, origin.address ?? '');
}
