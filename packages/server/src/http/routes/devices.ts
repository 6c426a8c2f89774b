import { operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { listDevices } from '../../services/devices/list-devices.ts';
import type { App } from '../app.ts';
import { callerOf } from '../auth.ts';
import { toDeviceWire } from '../wire.ts';
import { userIdOf } from '../user-id.ts';

export function registerDeviceRoutes(app: App, ctx: Context): void {
  app.get('/v1/users/:id/devices', { schema: operations.listDevices }, async (request) => {
    const devices = await listDevices(ctx, callerOf(request).tenant, userIdOf(request.params.id));
    return { data: devices.map(toDeviceWire) };
  });
}
