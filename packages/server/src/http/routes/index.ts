import type { Context } from '../../context.ts';
import type { App } from '../app.ts';
import { registerAuthRoutes } from './auth.ts';
import { registerDeviceRoutes } from './devices.ts';
import { registerSdkBatchRoutes } from './sdk-batches.ts';
import { registerSdkSessionRoutes } from './sdk-sessions.ts';
import { registerServiceRoutes } from './service.ts';
import { registerUserRoutes } from './users.ts';

/** Every route of the service. */
export function registerRoutes(app: App, ctx: Context): void {
  registerServiceRoutes(app, ctx);
  registerUserRoutes(app, ctx);
  registerDeviceRoutes(app, ctx);
  registerAuthRoutes(app, ctx);
  registerSdkSessionRoutes(app, ctx);
  registerSdkBatchRoutes(app, ctx);
}
