import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { isMailAddress } from '../../mail/mail-address.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import { endLink } from '../../store/accounts/operator-links.ts';
import { insertAddress } from '../../store/accounts/operator-addresses.ts';
import { insertOperator, lockTeam } from '../../store/accounts/operators.ts';
import { record } from '../audit/record.ts';
import { openOperatorLink } from './operator-link.ts';
import { hashAddress } from './password-attempts.ts';
import type { Browser } from './browser.ts';
import { verifyPassword } from './verify-password.ts';

export interface JoinInput {
  token: string;
  name: string;
  /** Required if the link was not sent to an address. */
  email?: string | undefined;
  password: string;
}

/** Creates a dashboard user with a single-use link and signs them in. Returns the cookies to set. Throws `link_ended` or `operator_exists`. */
export async function joinAndSignIn(
  ctx: Pick<Context, 'operator' | 'newId' | 'signIn' | 'jobs' | 'log'>,
  browser: Browser,
  input: JoinInput,
): Promise<string[]> {
  const { address, requestId } = browser;
  const email = await join(ctx, { address, requestId }, input);
  const { cookies } = await verifyPassword(ctx, browser, { email, password: input.password });
  return cookies;
}

/** Creates a dashboard user and returns the address to sign in with. */
async function join(
  ctx: Pick<Context, 'operator' | 'newId' | 'signIn'>,
  origin: Pick<Actor, 'address' | 'requestId'>,
  input: JoinInput,
): Promise<string> {
  const link = await openOperatorLink(ctx, input.token);
  if (link.role === null) throw new ApiError('link_ended');
  const email = link.email ?? input.email?.trim().toLowerCase();
  if (email === undefined || !isMailAddress(email))
    throw new ApiError('invalid_request', {
      message: 'Body field `email` must be an email address such as ada@example.com.',
      details: { fields: [{ in: 'body', name: 'email', problem: 'must be an email address' }] },
    });
  const { accountId, role } = link;
  const passwordHash = await ctx.signIn.hashPassword(input.password);
  const id = ctx.newId();
  await inTransaction(ctx.operator, async (tx) => {
    await lockTeam(tx, accountId);
    if (!(await endLink(tx, link.id, 'used'))) throw new ApiError('link_ended');
    const isNew = await insertOperator(tx, {
      id,
      accountId,
      email,
      name: input.name.trim(),
      role,
      passwordHash,
    });
    if (!isNew) throw new ApiError('operator_exists');
    // Known from now on, so that guesses of others do not slow down the sign-in that follows.
    if (origin.address !== null) await insertAddress(tx, id, hashAddress(origin.address));
    await record(
      ctx,
      tx,
      { accountId, environment: null, actor: { type: 'operator', id: formatId('op', id), ...origin } },
      {
        action: 'operator.joined',
        target: { type: 'operator', id: formatId('op', id) },
        data: { role, invitation: formatId('oli', link.id) },
      },
    );
  });
  return email;
}
