import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { stopConnection } from '../../store/connections/connections.ts';
import { insertEvents } from '../../store/events/events.ts';
import { hideDevice, lockDevice } from '../../store/devices/removed.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { touchUser } from '../../store/users/read.ts';
import { lockUser, userExists } from '../../store/users/users.ts';
import { record } from '../audit/record.ts';
import { deviceNotFound } from './device-not-found.ts';

/** Hides a device and enqueues the removal of its history. Throws `not_found`, also for a device that is already deleted. */
export async function deleteDevice(
  ctx: Context,
  acting: Acting,
  device: { id: string; userId: string },
): Promise<void> {
  const { id: deviceId, userId } = device;
  const { accountId, environment } = acting;
  const event = { accountId, environment, id: ctx.newId(), userId, deviceId, metrics: [] };
  await asTenant(ctx.db, acting, async (tx) => {
    if (!(await userExists(tx, acting, userId))) throw deviceNotFound(formatId('dev', deviceId));
    await lockDevice(tx, userId, deviceId);
    const user = await lockUser(tx, acting, userId);
    const provider = user ? await hideDevice(tx, userId, deviceId) : null;
    if (provider === null) throw deviceNotFound(formatId('dev', deviceId));
    await stopConnection(tx, deviceId);
    await touchUser(tx, userId);
    await insertEvents(tx, [
      { ...event, type: 'device.disconnected', data: { provider, reason: 'removed' } },
    ]);
    await ctx.jobs.enqueue(tx, 'remove-device', { key: deviceId, data: { userId, deviceId } });
    await record(ctx, tx, acting, {
      action: 'device.deleted',
      target: { type: 'device', id: formatId('dev', deviceId) },
      data: { user: formatId('user', userId), provider },
    });
  });
}
