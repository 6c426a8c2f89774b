import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import { inTransaction } from '../../store/database/database.ts';
import { findOperator, findOperatorByEmail } from '../../store/accounts/operators.ts';
import { countTry, forgetTries, spendCode } from '../../store/accounts/sign-in-guard.ts';
import { record } from '../audit/record.ts';
import { hashEmail } from './sign-in.ts';

/** A browser that a dashboard user signs in with. */
export interface Browser {
  cookie: string | undefined;
  userAgent: string | undefined;
  address: string;
  requestId: string;
}

type ProofContext = Pick<Context, 'operator' | 'signIn' | 'jobs' | 'newId'>;

/** Signs in by password. Throws `wrong_sign_in`, or `rate_limited` after too many wrong passwords for the address. */
export async function verifyPassword(
  ctx: ProofContext,
  browser: Browser,
  { email, password }: { email: string; password: string },
): Promise<{ cookies: string[]; needsCode: boolean }> {
  // Drops existing cookies to prevent session fixation.
  const response = await tryPassword(ctx, { ...browser, cookie: undefined }, email, '/sign-in/email', {
    email: email.trim().toLowerCase(),
    password,
  });
  if (!response) throw new ApiError('wrong_sign_in');
  const body = (await response.json()) as { twoFactorRedirect?: boolean; user?: { id: string } };
  if (body.user) await noteSignIn(ctx, browser, body.user.id, 'password');
  return { cookies: response.headers.getSetCookie(), needsCode: body.twoFactorRedirect === true };
}

/** Ends the session of a browser, if it has one. Returns the cookies to set. */
export async function signOut(ctx: Pick<Context, 'signIn'>, browser: Browser): Promise<string[]> {
  const response = await ctx.signIn.call('/sign-out', browser);
  return response.headers.getSetCookie();
}

/** Makes a library request that requires the current password. Wrong ones count like those at sign-in. Throws `wrong_sign_in` or `rate_limited`. */
export async function callWithPassword(
  ctx: ProofContext,
  browser: Browser,
  email: string,
  path: string,
  body: Record<string, unknown>,
): Promise<Response> {
  const response = await tryPassword(ctx, browser, email, path, body);
  if (!response) throw new ApiError('wrong_sign_in', { message: 'Incorrect password.' });
  return response;
}

/** Makes a library request that contains a password. Returns null if the password is wrong. */
async function tryPassword(
  ctx: ProofContext,
  browser: Browser,
  email: string,
  path: string,
  body: Record<string, unknown>,
): Promise<Response | null> {
  const emailHash = hashEmail(email);
  const { waitSeconds, isLast } = await countTry(ctx.operator, emailHash);
  if (waitSeconds !== null) throw tooManyTries(waitSeconds);
  const response = await ctx.signIn.call(path, { ...browser, body });
  if (response.status >= 500) throw new ApiError('internal_error', { cause: new Error('sign-in failed') });
  if (response.ok) await forgetTries(ctx.operator, emailHash);
  else if (isLast) await noteLock(ctx, browser, email);
  return response.ok ? response : null;
}

function tooManyTries(waitSeconds: number): ApiError {
  return new ApiError('rate_limited', {
    message: 'Too many incorrect passwords for this email address. Wait 15 minutes, or reset your password.',
    retryAfterSeconds: waitSeconds,
  });
}

/** Verifies a single-use authenticator code or a backup code. Returns the cookies to set. Throws `wrong_code`. */
export async function verifyCode(
  ctx: ProofContext,
  browser: Browser,
  { code, kind }: { code: string; kind: 'code' | 'backup_code' },
): Promise<string[]> {
  const operatorId = await ctx.signIn.findChallenged(browser.cookie);
  if (operatorId === null) throw new ApiError('signed_out');
  if (kind === 'code' && !(await spendCode(ctx.operator, operatorId, hashSecret(`${operatorId} ${code}`))))
    throw new ApiError('wrong_code');
  const path = kind === 'code' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
  const response = await ctx.signIn.call(path, { ...browser, body: { code } });
  if (!response.ok) throw codeError(response.status);
  const cookies = response.headers.getSetCookie();
  await noteSignIn(ctx, browser, operatorId, kind);
  return cookies;
}

function codeError(status: number): ApiError {
  if (status === 429)
    return new ApiError('rate_limited', {
      message: 'Too many incorrect codes. Wait 15 minutes.',
      retryAfterSeconds: 900,
    });
  if (status === 400)
    return new ApiError('signed_out', { message: 'Too many incorrect codes. Enter your password again.' });
  return new ApiError('wrong_code');
}

/** Audits a sign-in. The library commits it in its own transaction, so this runs afterwards, and the request fails if this does. */
async function noteSignIn(
  ctx: ProofContext,
  browser: Browser,
  operatorId: string,
  by: string,
): Promise<void> {
  const operator = await findOperator(ctx.operator, operatorId);
  if (!operator) return;
  await noteOf(ctx, browser, operator, 'operator.signed_in', { by });
}

/** Notifies the dashboard user with this address, if any, of the password guesses. */
async function noteLock(ctx: ProofContext, browser: Browser, email: string): Promise<void> {
  const operator = await findOperatorByEmail(ctx.operator, email.trim());
  if (!operator) return;
  await noteOf(ctx, browser, operator, 'operator.locked', {});
  await inTransaction(ctx.operator, (tx) =>
    ctx.jobs.enqueue(tx, 'send-operator-mail', {
      key: `locked-${operator.id}`,
      data: { lockedOperatorId: operator.id },
    }),
  );
}

/** Audits a change of a dashboard user's credentials. */
export async function noteOf(
  ctx: Pick<Context, 'operator' | 'newId'>,
  { address, requestId }: Pick<Browser, 'address' | 'requestId'>,
  { id, accountId }: { id: string; accountId: string },
  action:
    | 'operator.signed_in'
    | 'operator.locked'
    | 'operator.password_changed'
    | 'operator.authenticator_changed',
  data: Record<string, unknown>,
): Promise<void> {
  const target = { type: 'operator', id: formatId('op', id) };
  await inTransaction(ctx.operator, (tx) =>
    record(
      ctx,
      tx,
      { accountId, environment: null, actor: { type: 'operator', id: target.id, address, requestId } },
      { action, target, data },
    ),
  );
}
