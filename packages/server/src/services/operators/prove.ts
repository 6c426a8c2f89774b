import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import { inTransaction } from '../../store/database.ts';
import { findOperator, findOperatorByEmail } from '../../store/operators.ts';
import { countTry, forgetTries, spendCode } from '../../store/sign-in-guard.ts';
import { record } from '../audit/record.ts';
import { hashEmail } from './sign-in.ts';

/** A browser that somebody signs in with. */
export interface Browser {
  cookie: string | undefined;
  userAgent: string | undefined;
  address: string;
  requestId: string;
}

type ProofContext = Pick<Context, 'operator' | 'signIn' | 'jobs' | 'newId'>;

/** Signs in by password. Throws `wrong_sign_in`, or `rate_limited` when the address was given too many wrong ones. */
export async function givePassword(
  ctx: ProofContext,
  browser: Browser,
  { email, password }: { email: string; password: string },
): Promise<{ cookies: string[]; needsCode: boolean }> {
  // Without the cookies that were there: nobody signs in to a session that somebody else began.
  const answer = await tryPassword(ctx, { ...browser, cookie: undefined }, email, '/sign-in/email', {
    email: email.trim().toLowerCase(),
    password,
  });
  if (!answer) throw new ApiError('wrong_sign_in');
  const body = (await answer.json()) as { twoFactorRedirect?: boolean; user?: { id: string } };
  if (body.user) await noteSignIn(ctx, browser, body.user.id, 'password');
  return { cookies: answer.headers.getSetCookie(), needsCode: body.twoFactorRedirect === true };
}

/**
 * Has the library do what asks for the own password once more; wrong ones count as those at the door do. Throws `wrong_sign_in` or
 * `rate_limited`.
 */
export async function callWithPassword(
  ctx: ProofContext,
  browser: Browser,
  email: string,
  path: string,
  body: Record<string, unknown>,
): Promise<Response> {
  const answer = await tryPassword(ctx, browser, email, path, body);
  if (!answer) throw new ApiError('wrong_sign_in', { message: 'This is not your password.' });
  return answer;
}

/** Makes a call of the library that carries a password; null when it is wrong. */
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
  const answer = await ctx.signIn.call(path, { ...browser, body });
  if (answer.status >= 500) throw new ApiError('internal_error', { cause: new Error('sign-in failed') });
  if (answer.ok) await forgetTries(ctx.operator, emailHash);
  else if (isLast) await noteLock(ctx, browser, email);
  return answer.ok ? answer : null;
}

function tooManyTries(waitSeconds: number): ApiError {
  return new ApiError('rate_limited', {
    message:
      'Too many wrong passwords were given with this address. Wait a quarter of an hour, or ask for a new password.',
    retryAfterSeconds: waitSeconds,
  });
}

/** Tries the code of an authenticator app, which counts once, or a backup code. Answers the cookies to set. Throws `wrong_code`. */
export async function giveCode(
  ctx: ProofContext,
  browser: Browser,
  { code, kind }: { code: string; kind: 'code' | 'backup_code' },
): Promise<string[]> {
  const operatorId = await ctx.signIn.findChallenged(browser.cookie);
  if (operatorId === null) throw new ApiError('signed_out');
  if (kind === 'code' && !(await spendCode(ctx.operator, operatorId, hashSecret(`${operatorId} ${code}`))))
    throw new ApiError('wrong_code');
  const path = kind === 'code' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
  const answer = await ctx.signIn.call(path, { ...browser, body: { code } });
  if (!answer.ok) throw codeError(answer.status);
  const cookies = answer.headers.getSetCookie();
  await noteSignIn(ctx, browser, operatorId, kind);
  return cookies;
}

function codeError(status: number): ApiError {
  if (status === 429)
    return new ApiError('rate_limited', {
      message: 'Too many wrong codes. Wait a quarter of an hour.',
      retryAfterSeconds: 900,
    });
  if (status === 400)
    return new ApiError('signed_out', { message: 'Too many wrong codes. Give your password again.' });
  return new ApiError('wrong_code');
}

/** The sign-in is the library's own transaction: this follows it, and fails with it. */
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

/** Tells whoever signs in with the address, if there is somebody, that somebody guessed. */
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

/** Writes down what an operator did with what they sign in by. */
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
