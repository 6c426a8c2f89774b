import type { Context } from '../../context.ts';
import { userTokenLifetimeSeconds } from '../../credentials/user-token.ts';
import { revokeExpiredApiKeys } from '../../store/accounts/api-keys.ts';
import { deleteUsageBefore } from '../../store/accounts/usage.ts';
import { deleteExpiredMobileTokens } from '../../store/uploads/mobile-tokens.ts';
import { deleteOldRequests } from '../../store/uploads/sdk-session-requests.ts';
import { deleteRevokedSessions, revokeExpiredSessions } from '../../store/uploads/sdk-sessions.ts';
import { deleteRetiredSigningKeys } from '../../store/accounts/signing-keys.ts';
import { deleteUnusedLimits } from '../../store/connections/provider-limits.ts';
import { sweepPushKeys } from '../raw-payloads/sweep-push-keys.ts';
import { refreshTokenSeconds } from '../sdk-sessions/issue-credentials.ts';

/** How long a revoked session can still be read. */
const revokedSessionDays = 90;

/** How long the daily usage of accounts is kept. */
const usageRetentionDays = 400;

/** The numbers of rows that a sweep changed. */
export interface Sweep {
  keys: number;
  mobileTokens: number;
  signingKeys: number;
  endedSessions: number;
  removedSessions: number;
  sessionRequests: number;
  pushKeys: number;
  providerLimits: number;
  usageDays: number;
}

/**
 * Marks expired keys and sessions as revoked, and removes tokens, signing keys, sessions, stored responses, keys of pushes and
 * provider limits that are no longer of use.
 */
export async function sweepCredentials(ctx: Pick<Context, 'operator' | 'rawPayloads'>): Promise<Sweep> {
  return {
    keys: await revokeExpiredApiKeys(ctx.operator),
    mobileTokens: await deleteExpiredMobileTokens(ctx.operator),
    // Twice the lifetime of a token, so that no node still verifies tokens with the key.
    signingKeys: await deleteRetiredSigningKeys(ctx.operator, 2 * userTokenLifetimeSeconds * 1000),
    endedSessions: await revokeExpiredSessions(ctx.operator, refreshTokenSeconds),
    removedSessions: await deleteRevokedSessions(ctx.operator, revokedSessionDays),
    sessionRequests: await deleteOldRequests(ctx.operator),
    pushKeys: await sweepPushKeys(ctx),
    providerLimits: await deleteUnusedLimits(ctx.operator),
    usageDays: await deleteUsageBefore(ctx.operator, usageRetentionDays),
  };
}
