import { queryOptions } from '@tanstack/react-query';
import type { OperatorSessionWire } from '@tributary/contract';
import { call } from './client/client.ts';

const api = '/dashboard/api';

/** Confirms that it is still the dashboard user who uses the session. */
export const confirmIdentity = (body: { password: string } | { code: string }) =>
  call('POST', `${api}/session/confirm`, { body });

/** Ends all other sessions. */
export const changePassword = (body: { current: string; password: string }) =>
  call('POST', `${api}/password`, { body });

export const removeAuthenticator = (password: string) =>
  call('POST', `${api}/authenticator/remove`, { body: { password } });

/** Invalidates the previous codes. */
export const renewBackupCodes = (password: string) =>
  call<{ backup_codes: string[] }>('POST', `${api}/authenticator/backup-codes`, { body: { password } });

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<{ data: OperatorSessionWire[] }>('GET', `${api}/sessions`, { signal }),
});

export const endSession = (id: string) => call('DELETE', `${api}/sessions/${encodeURIComponent(id)}`);
