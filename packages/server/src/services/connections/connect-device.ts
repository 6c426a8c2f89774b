import { ApiError, onDeviceProviders } from '@tributary/contract';
import { didYouMean } from '@tributary/domain';
import { findProvider, providers, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { createSecretToken, hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { insertConnectLink } from '../../store/connections/connect-links.ts';
import {
  findDeviceOfProvider,
  insertConnection,
  insertPendingDevice,
  type DeviceStatus,
} from '../../store/connections/connections.ts';
import type { Queryable } from '../../store/database/database.ts';
import { getOrganization } from '../../store/accounts/organizations.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { touchUser } from '../../store/users/read.ts';
import { lockLayers } from '../../store/users/locks.ts';
import { lockUser, userExists } from '../../store/users/users.ts';
import { record } from '../audit/record.ts';
import { findApp } from '../providers/find-app.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { isAllowedRedirect } from './allowed-redirect.ts';

const linkMinutes = 30;

export interface WaitingDevice {
  id: string;
  provider: string;
  status: DeviceStatus;
  authUrl: string;
}

/**
 * Creates a link with which the user connects a provider. Repeated calls return the same device, and an active connection keeps working. A device
 * that the sandbox simulates is connected in its place.
 */
export async function connectDevice(
  ctx: Context,
  acting: Acting,
  input: { userId: string; provider: string; redirectUrl: string | null },
): Promise<WaitingDevice> {
  const { userId, redirectUrl } = input;
  const provider = await getConnectable(ctx, acting, input.provider);
  return asTenant(ctx.db, acting, async (tx) => {
    await refuseForeignRedirect(tx, acting, redirectUrl);
    if (!(await userExists(tx, acting, userId))) throw userNotFound(formatId('user', userId));
    // Ingest workers also number and update the devices of a user. Take the locks in their order, with the user's row last.
    const known = await findDeviceOfProvider(tx, userId, provider.id);
    if (!known?.hasConnection) await lockLayers(tx, userId);
    if (!(await lockUser(tx, acting, userId))) throw userNotFound(formatId('user', userId));
    const device = (await findDeviceOfProvider(tx, userId, provider.id)) ?? {
      id: ctx.newId(),
      status: 'pending' as const,
      isNew: true,
    };
    if ('isNew' in device) {
      await insertPendingDevice(tx, {
        id: device.id,
        userId,
        provider: provider.id,
        kind: provider.kind,
      });
      await touchUser(tx, userId);
    }
    await insertConnection(tx, acting, { id: device.id, userId, provider: provider.id });
    const token = createSecretToken('cl_');
    await insertConnectLink(tx, acting, {
      id: ctx.newId(),
      userId,
      deviceId: device.id,
      provider: provider.id,
      redirectUrl,
      linkHash: hashSecret(token),
      minutes: linkMinutes,
    });
    await record(ctx, tx, acting, {
      action: 'device.connecting',
      target: { type: 'device', id: formatId('dev', device.id) },
      data: { user: formatId('user', userId), provider: provider.id },
    });
    const authUrl = `${ctx.config.http.publicUrl}/connect/${token}`;
    return { id: device.id, provider: provider.id, status: device.status, authUrl };
  });
}

async function getConnectable(ctx: Context, acting: Acting, id: string): Promise<Provider> {
  if ((onDeviceProviders as readonly string[]).includes(id)) throw new ApiError('use_mobile_sdk');
  const provider = findProvider(id);
  if (!provider) throw unknownProvider(id);
  const app = await findApp(ctx, ctx.db, acting.environment, provider);
  if (!app) throw new ApiError('provider_unavailable');
  return provider;
}

function unknownProvider(id: string): ApiError {
  const known = [...providers.map((provider) => provider.id), ...onDeviceProviders];
  const message = `Unknown provider \`${id.slice(0, 64)}\`.${didYouMean(id, known)} List all providers with \`GET /v1/providers\`.`;
  return new ApiError('unknown_provider', { message });
}

async function refuseForeignRedirect(
  tx: Queryable,
  acting: Acting,
  redirectUrl: string | null,
): Promise<void> {
  if (redirectUrl === null) return;
  const { redirectUrls } = await getOrganization(tx, acting);
  if (!isAllowedRedirect(redirectUrls, redirectUrl)) throw new ApiError('redirect_url_not_allowed');
}
