import { ApiError } from '@tributary/contract';
import type { SignedInOperator } from './authenticate-operator.ts';
import type { Browser } from './browser.ts';
import { callWithPassword, noteOf, verifySessionCode, type ProofContext } from './verify-password.ts';

/** A dashboard user who changes their own credentials. */
export interface OwnSession {
  operator: SignedInOperator;
  browser: Browser;
  /** Sets cookies as soon as the library issues them: the browser needs them even if the audit entry cannot be written. */
  setCookies: (cookies: readonly string[]) => void;
}

/** Changes the password and ends the other sessions. Throws `wrong_sign_in` or `rate_limited`, like all functions that take a password. */
export async function changePassword(
  ctx: ProofContext,
  session: OwnSession,
  { current, password }: { current: string; password: string },
): Promise<void> {
  await call(ctx, session, '/change-password', {
    currentPassword: current,
    newPassword: password,
    revokeOtherSessions: true,
  });
  await noteOf(ctx, session.browser, session.operator, 'operator.password_changed', { by: 'password' });
}

/** Starts to set up an authenticator. Throws `invalid_request` if the dashboard user has one. */
export async function startAuthenticator(
  ctx: ProofContext,
  session: OwnSession,
  password: string,
): Promise<{ uri: string; backupCodes: string[] }> {
  if (session.operator.hasAuthenticator)
    throw new ApiError('invalid_request', {
      message: 'You already have an authenticator. Remove it before you add another.',
    });
  const response = await call(ctx, session, '/two-factor/enable', { password });
  const { totpURI, backupCodes } = (await response.json()) as { totpURI: string; backupCodes: string[] };
  return { uri: totpURI, backupCodes };
}

/** Enables the authenticator with its first code. Throws `wrong_code`. */
export async function confirmAuthenticator(
  ctx: ProofContext,
  { browser, operator, setCookies }: OwnSession,
  code: string,
): Promise<void> {
  setCookies(await verifySessionCode(ctx, browser, operator, code));
  await noteOf(ctx, browser, operator, 'operator.authenticator_changed', { enabled: true });
}

export async function removeAuthenticator(
  ctx: ProofContext,
  session: OwnSession,
  password: string,
): Promise<void> {
  await call(ctx, session, '/two-factor/disable', { password });
  await noteOf(ctx, session.browser, session.operator, 'operator.authenticator_changed', { enabled: false });
}

/** Replaces the backup codes and returns the new ones. */
export async function renewBackupCodes(
  ctx: ProofContext,
  { browser, operator }: OwnSession,
  password: string,
): Promise<string[]> {
  const path = '/two-factor/generate-backup-codes';
  const response = await callWithPassword(ctx, browser, operator.email, path, { password });
  const { backupCodes } = (await response.json()) as { backupCodes: string[] };
  return backupCodes;
}

async function call(
  ctx: ProofContext,
  { browser, operator, setCookies }: OwnSession,
  path: string,
  body: Record<string, unknown>,
): Promise<Response> {
  const response = await callWithPassword(ctx, browser, operator.email, path, body);
  setCookies(response.headers.getSetCookie());
  return response;
}
