import { ProviderFailure, type Tokens } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { findConnection, updateTokens } from '../../store/connections.ts';
import { inTransaction, type Queryable } from '../../store/database.ts';
import { openAppApi, type ProviderAccess } from '../providers/open-api.ts';
import { sealTokens, unsealTokens } from './seal-tokens.ts';

export type RenewContext = Pick<Context, 'operator' | 'outbound' | 'clock' | 'keyring'>;

export interface RenewedTokens {
  tokens: Tokens;
  version: number;
}

/**
 * Replaces tokens, unless somebody did since they were read. One at a time for each connection: a refresh token that is used twice costs
 * the consent. What the provider gave is committed before anyone uses it. The transaction gets its number with that commit alone, so that
 * a provider that dawdles holds nobody up.
 */
export async function renewTokens(
  ctx: RenewContext,
  access: ProviderAccess,
  deviceId: string,
  seenVersion: number,
): Promise<RenewedTokens> {
  const { refresh } = access.provider.oauth;
  if (!refresh) throw new ProviderFailure('consent_ended', 'the token is refused, and there is no other');
  return inTransaction(ctx.operator, async (tx) => {
    await lockRefresh(tx, deviceId);
    const now = await findConnection(tx, deviceId);
    if (!now?.tokens) throw new ProviderFailure('consent_ended', 'the connection is over');
    const before = unsealTokens(ctx.keyring, deviceId, now.tokens);
    if (now.tokenVersion !== seenVersion) return { tokens: before, version: now.tokenVersion };
    const tokens = await refresh(openAppApi(ctx, access), before);
    await updateTokens(tx, deviceId, sealTokens(ctx.keyring, deviceId, tokens));
    return { tokens, version: seenVersion + 1 };
  });
}

async function lockRefresh(tx: Queryable, deviceId: string): Promise<void> {
  await tx.query({
    name: 'connections/lock-refresh',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('refresh:' || $1, 0))`,
    values: [deviceId],
  });
}
