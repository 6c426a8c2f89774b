import { ApiError, onDeviceProviders } from '@tributary/contract';
import { findProvider, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { createSecretToken, hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import { insertConnectLink } from '../../store/connect-links.ts';
import { findDeviceOfProvider, insertPendingDevice, type DeviceStatus } from '../../store/connections.ts';
import type { Queryable } from '../../store/database.ts';
import { getOrganization } from '../../store/organizations.ts';
import { asTenant } from '../../store/tenant.ts';
import { touchUser } from '../../store/user-read.ts';
import { lockLayers } from '../../store/user-locks.ts';
import { lockUser, userExists } from '../../store/users.ts';
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

/** Makes a link by which the person connects a provider. The device is the same each time, and one that works goes on working. */
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
    // Devices of a user are numbered, also by whoever works on uploads: in their turn, and the row of the user last, as they do.
    if (!(await findDeviceOfProvider(tx, userId, provider.id))) await lockLayers(tx, userId);
    if (!(await lockUser(tx, acting, userId))) throw userNotFound(formatId('user', userId));
    const device = (await findDeviceOfProvider(tx, userId, provider.id)) ?? {
      id: ctx.newId(),
      status: 'pending' as const,
      isNew: true,
    };
    if ('isNew' in device) {
      await insertPendingDevice(tx, acting, {
        id: device.id,
        userId,
        provider: provider.id,
        kind: provider.kind,
      });
      await touchUser(tx, userId);
    }
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
  if (!provider) throw new ApiError('unknown_provider');
  const app = await findApp(ctx, ctx.db, acting.environment, provider);
  if (!app) throw new ApiError('provider_unavailable');
  return provider;
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
