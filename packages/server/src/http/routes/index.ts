import type { Context } from '../../context.ts';
import type { App } from '../frame/app-type.ts';
import { registerAuditRoutes } from './audit.ts';
import { registerAuthRoutes } from './auth.ts';
import { registerCatalogRoutes } from './catalogs.ts';
import { registerConsolidationRoutes } from './consolidation.ts';
import { registerDailyRoutes } from './reads/daily.ts';
import { registerDeviceRoutes } from './devices.ts';
import { registerExplainRoutes } from './reads/explain.ts';
import { registerProviderRoutes } from './providers.ts';
import { registerSdkBatchRoutes } from './sdk/batches.ts';
import { registerSdkSessionRoutes } from './sdk/sessions.ts';
import { registerScoreRoutes } from './reads/scores.ts';
import { registerServiceRoutes } from './service.ts';
import { registerSleepRoutes } from './reads/sleep.ts';
import { registerTimeseriesRoutes } from './reads/timeseries.ts';
import { registerEventRoutes } from './events/events.ts';
import { registerSandboxRoutes } from './sandbox.ts';
import { registerRosterRoutes } from './roster.ts';
import { registerUserRoutes } from './users.ts';
import { registerDeliveryRoutes } from './webhooks/deliveries.ts';
import { registerWebhookRoutes } from './webhooks/webhooks.ts';
import { registerWorkoutRoutes } from './reads/workouts.ts';

/** Every route of the service. */
export function registerRoutes(app: App, ctx: Context): void {
  registerServiceRoutes(app, ctx);
  registerUserRoutes(app, ctx);
  registerEventRoutes(app, ctx);
  registerWebhookRoutes(app, ctx);
  registerDeliveryRoutes(app, ctx);
  registerRosterRoutes(app, ctx);
  registerAuditRoutes(app, ctx);
  registerSandboxRoutes(app, ctx);
  registerProviderRoutes(app, ctx);
  registerDeviceRoutes(app, ctx);
  registerCatalogRoutes(app);
  registerConsolidationRoutes(app, ctx);
  registerDailyRoutes(app, ctx);
  registerScoreRoutes(app, ctx);
  registerTimeseriesRoutes(app, ctx);
  registerSleepRoutes(app, ctx);
  registerWorkoutRoutes(app, ctx);
  registerExplainRoutes(app, ctx);
  registerAuthRoutes(app, ctx);
  registerSdkSessionRoutes(app, ctx);
  registerSdkBatchRoutes(app, ctx);
}
