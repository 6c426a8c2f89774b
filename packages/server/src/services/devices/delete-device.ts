import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { insertEvents } from '../../store/events.ts';
import { hideDevice } from '../../store/removed-devices.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { touchUser } from '../../store/user-read.ts';
import { lockUser } from '../../store/users.ts';
import { deviceNotFound } from './device-not-found.ts';

/** Hides a device from every list and has its history removed; throws `not_found`, also the second time. */
export async function deleteDevice(
  ctx: Context,
  tenant: Tenant,
  device: { id: string; userId: string },
): Promise<void> {
  const { id: deviceId, userId } = device;
  const event = { ...tenant, id: ctx.newId(), userId, deviceId, metrics: [] };
  await asTenant(ctx.db, tenant, async (tx) => {
    const found = await lockUser(tx, tenant, userId);
    const provider = found ? await hideDevice(tx, userId, deviceId) : null;
    if (provider === null) throw deviceNotFound(formatId('dev', deviceId));
    await touchUser(tx, userId);
    await insertEvents(tx, [
      { ...event, type: 'device.disconnected', data: { provider, reason: 'removed' } },
    ]);
    await ctx.jobs.enqueue(tx, 'remove-device', { key: deviceId, data: { userId, deviceId } });
  });
}
