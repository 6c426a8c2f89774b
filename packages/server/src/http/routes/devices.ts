import { operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { parseId } from '../../ids.ts';
import { deleteDevice } from '../../services/devices/delete-device.ts';
import { deviceNotFound } from '../../services/devices/device-not-found.ts';
import { listDevices } from '../../services/devices/list-devices.ts';
import type { App } from '../app.ts';
import { actingOf, callerOf } from '../auth.ts';
import { toDeviceWire } from '../wire.ts';
import { userIdOf } from '../user-id.ts';

export function registerDeviceRoutes(app: App, ctx: Context): void {
  app.get('/v1/users/:id/devices', { schema: operations.listDevices }, async (request) => {
    const devices = await listDevices(ctx, callerOf(request).tenant, userIdOf(request.params.id));
    return { data: devices.map(toDeviceWire) };
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
