import { operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId, parseId } from '../../ids.ts';
import { connectDevice } from '../../services/connections/connect-device.ts';
import { deleteDevice } from '../../services/devices/delete-device.ts';
import { deviceNotFound } from '../../services/devices/device-not-found.ts';
import { getDeviceSync } from '../../services/devices/get-device-sync.ts';
import { listDevices } from '../../services/devices/list-devices.ts';
import type { App } from '../frame/app-type.ts';
import { actingOf, callerOf } from '../frame/auth.ts';
import { toDeviceSyncWire } from '../wire/sync.ts';
import { toDeviceWire } from '../wire/wire.ts';
import { userIdOf } from '../parameters/user-id.ts';

export function registerDeviceRoutes(app: App, ctx: Context): void {
  app.get('/v1/users/:id/devices', { schema: operations.listDevices }, async (request) => {
    const devices = await listDevices(ctx, callerOf(request).tenant, userIdOf(request.params.id));
    return { data: devices.map(toDeviceWire) };
  });

  app.post('/v1/users/:id/devices', { schema: operations.connectDevice }, async (request) => {
    const { provider, redirect_url: redirectUrl = null } = request.body;
    const userId = userIdOf(request.params.id);
    const device = await connectDevice(ctx, actingOf(request), { userId, provider, redirectUrl });
    const { status, authUrl } = device;
    return { data: { id: formatId('dev', device.id), provider, status, auth_url: authUrl } };
  });

  app.get('/v1/users/:id/devices/:device_id/sync', { schema: operations.getDeviceSync }, async (request) => {
    const { id, device_id } = request.params;
    const userId = userIdOf(id);
    const deviceId = parseId('dev', device_id);
    if (!deviceId) throw deviceNotFound(device_id);
    const sync = await getDeviceSync(ctx, callerOf(request).tenant, { userId, deviceId });
    return { data: toDeviceSyncWire(deviceId, sync, ctx.clock.now()) };
  });

  app.delete(
    '/v1/users/:id/devices/:device_id',
    { schema: operations.deleteDevice },
    async (request, reply) => {
      const { id, device_id } = request.params;
      const userId = userIdOf(id);
      const deviceId = parseId('dev', device_id);
      if (!deviceId) throw deviceNotFound(device_id);
      await deleteDevice(ctx, actingOf(request), { id: deviceId, userId });
      return reply.code(204).send();
    },
  );
}
