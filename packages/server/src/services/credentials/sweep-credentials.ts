import type { Context } from '../../context.ts';
import { userTokenLifetimeSeconds } from '../../credentials/user-token.ts';
import { revokeExpiredApiKeys } from '../../store/api-keys.ts';
import { deleteExpiredMobileTokens } from '../../store/mobile-tokens.ts';
import { deleteOldRequests } from '../../store/sdk-session-requests.ts';
import { deleteRevokedSessions, revokeExpiredSessions } from '../../store/sdk-sessions.ts';
import { deleteRetiredSigningKeys } from '../../store/signing-keys.ts';
import { refreshTokenSeconds } from '../sdk-sessions/issue-credentials.ts';

/** How long a revoked session can still be asked for. */
const revokedSessionDays = 90;

/** What a sweep did, in numbers. */
export interface Sweep {
  keys: number;
  mobileTokens: number;
  signingKeys: number;
  endedSessions: number;
  removedSessions: number;
  sessionRequests: number;
}

/** Marks expired keys and sessions as revoked and removes tokens, signing keys, sessions and answers that nothing can use any more. */
export async function sweepCredentials(ctx: Pick<Context, 'operator'>): Promise<Sweep> {
  return {
    keys: await revokeExpiredApiKeys(ctx.operator),
    mobileTokens: await deleteExpiredMobileTokens(ctx.operator),
    // Twice the life of a token: no node can still be asked to verify with it.
    signingKeys: await deleteRetiredSigningKeys(ctx.operator, 2 * userTokenLifetimeSeconds * 1000),
    endedSessions: await revokeExpiredSessions(ctx.operator, refreshTokenSeconds),
    removedSessions: await deleteRevokedSessions(ctx.operator, revokedSessionDays),
    sessionRequests: await deleteOldRequests(ctx.operator),
  };
}
