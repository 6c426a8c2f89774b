import { ProviderFailure, type Tokens } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { findConnection, updateTokens, type Connection } from '../../store/connections.ts';
import { inTransaction, type Queryable } from '../../store/database.ts';
import { openAppApi, type ProviderAccess, type TokenSource } from '../providers/open-api.ts';
import { sealTokens, unsealTokens } from './seal-tokens.ts';

type RefreshContext = Pick<Context, 'operator' | 'outbound' | 'clock' | 'keyring'>;

/** The tokens of a connection, renewed once for all who find them ended at the same time, on whatever node. */
export function openTokenSource(
  ctx: RefreshContext,
  access: ProviderAccess,
  connection: Pick<Connection, 'deviceId' | 'tokenVersion'> & { tokens: Buffer },
): TokenSource {
  const { deviceId } = connection;
  let version = connection.tokenVersion;
  let tokens = unsealTokens(ctx.keyring, deviceId, connection.tokens);
  return {
    current: () => tokens,
    async renew() {
      ({ tokens, version } = await renewTokens(ctx, access, deviceId, version));
      return tokens;
    },
  };
}

/**
 * Replaces tokens, unless somebody did since they were read. One at a time for each connection: a refresh token that is used twice costs
 * the consent. What the provider gave is committed before anyone uses it. The transaction gets its number with that commit alone, so that
 * a provider that dawdles holds nobody up.
 */
function renewTokens(
  ctx: RefreshContext,
  access: ProviderAccess,
  deviceId: string,
  seenVersion: number,
): Promise<{ tokens: Tokens; version: number }> {
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
