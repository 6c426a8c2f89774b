import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '@tributary/domain';
import { ProviderFailure, type Tokens } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { findConnection, replaceTokens } from '../../store/connections/connections.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { openAppApi, type ProviderAccess } from '../providers/open-api.ts';
import { sealTokens, unsealTokens } from './seal-tokens.ts';

export type RenewContext = Pick<Context, 'operator' | 'outbound' | 'clock' | 'keyring' | 'log'>;

/** How long new tokens are held while the database is unavailable. A provider's earlier token is usually worthless by then. */
const longestOutageMs = 30 * minuteMs;
const storeAgainMs = 500;

export interface RenewedTokens {
  tokens: Tokens;
  version: number;
}

/**
 * Refreshes tokens, unless they were refreshed since they were read. Runs one at a time per connection, because a refresh token used twice can end
 * the consent. New tokens are committed before they are used, whatever happens to the database meanwhile. The transaction gets its ID only when it
 * writes them, so a slow provider does not hold back other transactions.
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
  let issued: Tokens | null = null;
  try {
    return await inTransaction(ctx.operator, async (tx) => {
      await lockRefresh(tx, deviceId);
      const now = await findConnection(tx, deviceId);
      if (!now?.tokens) throw new ProviderFailure('consent_ended', 'the connection has ended');
      const before = unsealTokens(ctx.keyring, deviceId, now.tokens);
      if (now.tokenVersion !== seenVersion) return { tokens: before, version: now.tokenVersion };
      issued = await refresh(openAppApi(ctx, access), before);
      await replaceTokens(tx, deviceId, seenVersion, sealTokens(ctx.keyring, deviceId, issued));
      return { tokens: issued, version: seenVersion + 1 };
    });
  } catch (error) {
    if (issued === null) throw error;
    await storePersistently(ctx, deviceId, seenVersion, issued);
    return { tokens: issued, version: seenVersion + 1 };
  }
}

/** Stores new tokens after their transaction was lost, as soon as the database accepts them. No other process has them. */
async function storePersistently(
  { operator, keyring, log }: RenewContext,
  deviceId: string,
  seenVersion: number,
  tokens: Tokens,
): Promise<void> {
  const sealed = sealTokens(keyring, deviceId, tokens);
  const until = performance.now() + longestOutageMs;
  for (;;) {
    try {
      // The lost transaction may have committed them, and then they are not replaced again.
      await replaceTokens(operator, deviceId, seenVersion, sealed);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      log.warn({ err: error }, 'failed to store new tokens, trying again');
      await sleep(storeAgainMs);
    }
  }
}

async function lockRefresh(tx: Queryable, deviceId: string): Promise<void> {
  await tx.query({
    name: 'connections/lock-refresh',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('refresh:' || $1, 0))`,
    values: [deviceId],
  });
}
