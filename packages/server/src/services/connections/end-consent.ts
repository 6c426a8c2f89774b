import { findProvider, ProviderFailure } from '@tributary/providers';
import type { Context } from '../../context.ts';
import {
  countRevokeTry,
  listConnectionsOfPerson,
  type LastingConsent,
} from '../../store/connections/connections.ts';
import { findApp } from '../providers/find-app.ts';
import { openUserApi, type ProviderAccess, type TokenSource } from '../providers/open-api.ts';
import { openTokenSource } from './token-source.ts';

/** After this many attempts the deletion goes on, so that an unreachable provider cannot block it. */
const mostTries = 5;

type EndContext = Pick<Context, 'operator' | 'outbound' | 'clock' | 'keyring' | 'config' | 'log'>;

/** Revokes a consent at the provider. Throws while a retry is worthwhile. */
export async function endConsent(ctx: EndContext, connection: LastingConsent): Promise<void> {
  try {
    await revoke(ctx, connection);
  } catch (error) {
    const isOver =
      error instanceof ProviderFailure && error.kind !== 'unavailable' && error.kind !== 'limited';
    if (!isOver && connection.revokeTries < mostTries) {
      await countRevokeTry(ctx.operator, connection.deviceId);
      throw error;
    }
    ctx.log.warn({ err: error, provider: connection.provider }, 'failed to revoke a consent at the provider');
  }
}

async function revoke(ctx: EndContext, connection: LastingConsent): Promise<void> {
  const { environment, tokens } = connection;
  const provider = findProvider(connection.provider);
  const app = provider && (await findApp(ctx, ctx.operator, environment, provider));
  if (!tokens || !app) return;
  const access = { environment, provider, app };
  await revokeConsent(ctx, access, {
    deviceId: connection.deviceId,
    externalId: connection.externalId ?? '',
    tokens: openTokenSource(ctx, access, { ...connection, tokens }),
  });
}

/**
 * Revokes a consent at its provider unless it is still needed. Most providers have one consent per person and app, however often it was granted, and
 * the same person may be another user or may have connected again.
 */
export async function revokeConsent(
  ctx: Pick<EndContext, 'operator' | 'outbound' | 'clock' | 'config'>,
  access: ProviderAccess,
  { deviceId, externalId, tokens }: { deviceId: string; externalId: string; tokens: TokenSource },
): Promise<void> {
  const { environment, provider } = access;
  if (!provider.oauth.revoke) return;
  const all = await listConnectionsOfPerson(ctx.operator, { environment, provider: provider.id }, externalId);
  if (all.some((other) => other.deviceId !== deviceId)) return;
  await provider.oauth.revoke(
    openUserApi(ctx, { ...access, db: ctx.operator, externalId, tokens, priority: 'live', people: 1 }),
  );
}
