import type { Context } from '../../context.ts';
import type { App } from '../frame/app-type.ts';
import { requireSameOrigin } from '../frame/same-origin.ts';
import { installOperators } from './operators.ts';
import { registerEventRowRoutes } from './events.ts';
import { registerKeyRoutes } from './keys.ts';
import { servePages } from './pages.ts';
import { registerSecurityRoutes } from './security.ts';
import { registerSignInRoutes } from './sign-in.ts';
import { registerTeamRoutes } from './team.ts';
import { registerNameRoutes } from './names.ts';
import { registerOverviewRoutes } from './overview.ts';
import { registerProviderRoutes } from './providers.ts';
import { registerRosterMailRoutes } from './roster.ts';
import { registerSampleRoutes } from './samples.ts';
import { registerSettingsRoutes } from './settings.ts';
import { registerUserRoutes } from './users.ts';
import { registerWebhookHealthRoutes } from './webhooks.ts';

/** Serves the dashboard and its private routes. The pages use the public API for everything it offers. */
export async function installDashboard(app: App, ctx: Context): Promise<void> {
  await app.register(
    async (plain) => {
      const scope = plain as unknown as App;
      scope.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
      });
      scope.addHook('onRequest', (request, reply, done) => {
        reply.header('Cache-Control', 'no-store');
        requireSameOrigin(request, ctx.config.http.publicUrl);
        done();
      });
      installOperators(scope, ctx);
      registerSignInRoutes(scope, ctx);
      registerSecurityRoutes(scope, ctx);
      registerTeamRoutes(scope, ctx);
      registerKeyRoutes(scope, ctx);
      registerOverviewRoutes(scope, ctx);
      registerUserRoutes(scope, ctx);
      registerSampleRoutes(scope, ctx);
      registerEventRowRoutes(scope, ctx);
      registerWebhookHealthRoutes(scope, ctx);
      registerProviderRoutes(scope, ctx);
      registerRosterMailRoutes(scope, ctx);
      registerSettingsRoutes(scope, ctx);
      registerNameRoutes(scope, ctx);
    },
    { prefix: '/dashboard/api' },
  );
  servePages(app);
}
