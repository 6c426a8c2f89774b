import type { OperatorLinkWire } from '@tributary/contract';
import { call } from './client/client.ts';

export interface Authenticator {
  /** The content of the QR code. */
  uri: string;
  backup_codes: string[];
}

const api = '/dashboard/api';

/** Returns whether a code is required next. */
export const signIn = (body: { email: string; password: string }) =>
  call<{ two_factor: boolean }>('POST', `${api}/sign-in`, { body });

export const signInWithCode = (code: string) => call('POST', `${api}/sign-in/code`, { body: { code } });

export const signInWithBackupCode = (code: string) =>
  call('POST', `${api}/sign-in/backup-code`, { body: { code } });

export const signOut = () => call('POST', `${api}/sign-out`, { body: {} });

export const forgotPassword = (email: string) => call('POST', `${api}/password/forgot`, { body: { email } });

export const resetPassword = (body: { token: string; password: string }) =>
  call('POST', `${api}/password/reset`, { body });

export const startAuthenticator = (password: string) =>
  call<Authenticator>('POST', `${api}/authenticator`, { body: { password } });

export const confirmAuthenticator = (code: string) =>
  call('POST', `${api}/authenticator/confirm`, { body: { code } });

/** The token is in the body so that no log contains it. */
export const openLink = (token: string) =>
  call<OperatorLinkWire>('POST', `${api}/links`, { body: { token } });

export const join = (body: { token: string; name: string; email?: string; password: string }) =>
  call('POST', `${api}/join`, { body });
