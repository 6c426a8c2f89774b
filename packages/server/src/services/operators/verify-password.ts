import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { inTransaction } from '../../store/database/database.ts';
import { findOperator, findOperatorByEmail } from '../../store/accounts/operators.ts';
import { insertAddress } from '../../store/accounts/operator-addresses.ts';
import { spendCode } from '../../store/accounts/sign-in-guard.ts';
import type { Browser } from './browser.ts';
import { beginCodeAttempt, beginPasswordAttempt, hashAddress } from './password-attempts.ts';
import { recordOperator } from './record-operator.ts';
import { normalizeEmail } from './sign-in.ts';

export type ProofContext = Pick<Context, 'operator' | 'signIn' | 'jobs' | 'newId' | 'log'>;

/** Signs in by password. Throws `wrong_sign_in`, or `rate_limited` after too many wrong passwords. */
export async function verifyPassword(
  ctx: ProofContext,
  browser: Browser,
  { email, password }: { email: string; password: string },
): Promise<{ cookies: string[]; needsCode: boolean }> {
  // Drops existing cookies to prevent session fixation.
  const response = await tryPassword(ctx, { ...browser, cookie: undefined }, email, '/sign-in/email', {
    email: normalizeEmail(email),
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
  const attempt = await beginPasswordAttempt(ctx, email, browser.address);
  const response = await ctx.signIn.call(path, { ...browser, body });
  if (response.status >= 500) throw new ApiError('internal_error', { cause: new Error('sign-in failed') });
  if (response.ok) await attempt.succeed();
  else if (attempt.isReported) reportGuesses(ctx, browser, email);
  return response.ok ? response : null;
}

/** Verifies a single-use authenticator code or a backup code. Returns the cookies to set. Throws `wrong_code`. */
export async function verifyCode(
  ctx: ProofContext,
  browser: Browser,
  { code, kind }: { code: string; kind: 'code' | 'backup_code' },
): Promise<string[]> {
  // Without the cookie of a session, because the library does not limit codes in a session.
  const challenge = await ctx.signIn.findChallenged(browser.cookie);
  if (challenge === null) throw new ApiError('signed_out');
  const { operatorId, cookie } = challenge;
  const challenged = { ...browser, cookie };
  const cookies =
    kind === 'code'
      ? await spend(ctx, challenged, operatorId, code)
      : await callWithCode(ctx, challenged, '/two-factor/verify-backup-code', code);
  await noteSignIn(ctx, browser, operatorId, kind);
  return cookies;
}

/** Verifies a code of a dashboard user who is signed in. Throws `wrong_code` or `rate_limited`. Returns the cookies to set. */
export async function verifySessionCode(
  ctx: ProofContext,
  browser: Browser,
  { id }: { id: string },
  code: string,
): Promise<string[]> {
  const attempt = await beginCodeAttempt(ctx, id);
  const cookies = await spend(ctx, browser, id, code).catch((error: unknown) => {
    // Without an authenticator, and not only after too many codes for a challenge.
    throw error instanceof ApiError && error.code === 'signed_out' ? new ApiError('wrong_code') : error;
  });
  await attempt.succeed();
  return cookies;
}

/** Uses a code, which works once. */
async function spend(
  ctx: ProofContext,
  browser: Browser,
  operatorId: string,
  code: string,
): Promise<string[]> {
  if (!(await spendCode(ctx.operator, operatorId, hashSecret(`${operatorId} ${code}`))))
    throw new ApiError('wrong_code');
  return callWithCode(ctx, browser, '/two-factor/verify-totp', code);
}

async function callWithCode(
  ctx: ProofContext,
  browser: Browser,
  path: string,
  code: string,
): Promise<string[]> {
  const response = await ctx.signIn.call(path, { ...browser, body: { code } });
  if (!response.ok) throw codeError(response.status);
  return response.headers.getSetCookie();
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

/**
 * Audits a sign-in and records its address as known. The library commits the session in its own transaction, so this runs afterwards, and the request
 * fails if this does.
 */
async function noteSignIn(
  ctx: ProofContext,
  browser: Browser,
  operatorId: string,
  by: string,
): Promise<void> {
  const operator = await findOperator(ctx.operator, operatorId);
  if (!operator) return;
  await inTransaction(ctx.operator, async (tx) => {
    await insertAddress(tx, operator.id, hashAddress(browser.address));
    await recordOperator(ctx, tx, browser, operator, 'operator.signed_in', { by });
  });
}

/** Notifies the dashboard user with this address, if any, of guesses. The response does not wait, because its time would reveal whether there is one. */
export function reportGuesses(ctx: ProofContext, browser: Browser, email: string): void {
  noteGuesses(ctx, browser, email).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'failed to report password guesses'),
  );
}

async function noteGuesses(ctx: ProofContext, browser: Browser, email: string): Promise<void> {
  const operator = await findOperatorByEmail(ctx.operator, normalizeEmail(email));
  if (!operator) return;
  await inTransaction(ctx.operator, async (tx) => {
    await recordOperator(ctx, tx, browser, operator, 'operator.sign_in_slowed', {});
    await ctx.jobs.enqueue(tx, 'send-operator-mail', {
      key: `locked-${operator.id}`,
      data: { lockedOperatorId: operator.id },
    });
  });
}

/** Audits a change of a dashboard user's credentials. */
export async function noteOf(
  ctx: Pick<Context, 'operator' | 'newId'>,
  browser: Pick<Browser, 'address' | 'requestId'>,
  operator: { id: string; accountId: string },
  action: 'operator.password_changed' | 'operator.authenticator_changed',
  data: Record<string, unknown>,
): Promise<void> {
  await inTransaction(ctx.operator, (tx) => recordOperator(ctx, tx, browser, operator, action, data));
}
