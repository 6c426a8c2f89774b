import { ProviderFailure, type Tokens } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { findConnection, updateTokens } from '../../store/connections/connections.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { openAppApi, type ProviderAccess } from '../providers/open-api.ts';
import { sealTokens, unsealTokens } from './seal-tokens.ts';

export type RenewContext = Pick<Context, 'operator' | 'outbound' | 'clock' | 'keyring'>;

export interface RenewedTokens {
  tokens: Tokens;
  version: number;
}

/**
 * Refreshes tokens, unless they were refreshed since they were read. Runs one at a time per connection, because a refresh token used twice can end
 * the consent. New tokens are committed before they are used. The transaction gets its ID only when it writes them, so a slow provider does not hold
 * back other transactions.
 */
export async function renewTokens(
  ctx: RenewContext,
  access: ProviderAccess,
  deviceId: string,
  seenVersion: number,
): Promise<RenewedTokens> {
  const { refresh } = access.provider.oauth;
  if (!refresh)
    throw new ProviderFailure(
      'consent_ended',
      'the token was rejected, and the provider does not refresh tokens',
    );
  return inTransaction(ctx.operator, async (tx) => {
    await lockRefresh(tx, deviceId);
    const now = await findConnection(tx, deviceId);
    if (!now?.tokens) throw new ProviderFailure('consent_ended', 'the connection has ended');
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
