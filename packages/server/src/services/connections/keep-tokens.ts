import { findProvider, ProviderFailure } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { findConnection } from '../../store/connections/connections.ts';
import { finishRenewal, type Renewal, type RenewalFailure } from '../../store/connections/token-renewals.ts';
import { findApp } from '../providers/find-app.ts';
import { renewTokens, type RenewContext } from './renew-tokens.ts';

export type KeeperContext = RenewContext & Pick<Context, 'config' | 'metrics'>;

/** Does a refresh that this process has taken, and records the outcome for those who requested it. */
export async function keepTokens(ctx: KeeperContext, renewal: Renewal): Promise<void> {
  const failure = await renew(ctx, renewal).then(
    () => null,
    (error: unknown) => describeFailure(ctx, error),
  );
  ctx.metrics.tokenRenewals.inc({ outcome: failure?.kind ?? 'renewed' });
  await finishRenewal(ctx.operator, renewal, failure);
}

async function renew(ctx: KeeperContext, { deviceId, seenVersion }: Renewal): Promise<void> {
  const connection = await findConnection(ctx.operator, deviceId);
  if (!connection) throw new ProviderFailure('consent_ended', 'the connection has ended');
  const provider = findProvider(connection.provider);
  const app = provider && (await findApp(ctx, ctx.operator, connection.environment, provider));
  if (!app) throw new ProviderFailure('unavailable', 'the provider is no longer configured');
  await renewTokens(ctx, { environment: connection.environment, provider, app }, deviceId, seenVersion);
}

function describeFailure({ log }: KeeperContext, error: unknown): RenewalFailure {
  if (error instanceof ProviderFailure) {
    const { kind, message, retryAtMs } = error;
    return { kind, message, retryAtMs };
  }
  log.error({ err: error }, 'failed to renew tokens');
  return { kind: 'unexpected', message: 'see the log of the keeper', retryAtMs: null };
}
