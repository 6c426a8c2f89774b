import { ProviderFailure } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { findConnection, type Connection } from '../../store/connections/connections.ts';
import type { ProviderAccess, TokenSource } from '../providers/open-api.ts';
import { renewTokens, type RenewContext, type RenewedTokens } from './renew-tokens.ts';
import { unsealTokens } from './seal-tokens.ts';

type SourceContext = RenewContext & Pick<Context, 'renewals'>;

/** The tokens of a connection. Concurrent users of expired tokens, on any node, share one refresh. `signal` stops waiting for it. */
export function openTokenSource(
  ctx: SourceContext,
  access: ProviderAccess,
  connection: Pick<Connection, 'deviceId' | 'tokenVersion'> & { tokens: Buffer },
  signal?: AbortSignal,
): TokenSource {
  const { deviceId } = connection;
  const { renewals } = ctx;
  let version = connection.tokenVersion;
  let tokens = unsealTokens(ctx.keyring, deviceId, connection.tokens);
  return {
    current: () => tokens,
    async renew() {
      if (renewals) {
        await renewals.renew({ deviceId, seenVersion: version }, signal);
        ({ tokens, version } = await readTokens(ctx, deviceId));
      } else ({ tokens, version } = await renewTokens(ctx, access, deviceId, version));
      return tokens;
    },
  };
}

async function readTokens({ operator, keyring }: RenewContext, deviceId: string): Promise<RenewedTokens> {
  const now = await findConnection(operator, deviceId);
  if (!now?.tokens) throw new ProviderFailure('consent_ended', 'the connection has ended');
  return { tokens: unsealTokens(keyring, deviceId, now.tokens), version: now.tokenVersion };
}
