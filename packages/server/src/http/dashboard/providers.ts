import { providerOperations as operations, type ProviderRowWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { boundedCount } from '../../services/dashboard/bounded-count.ts';
import { removeProviderApp, setProviderApp } from '../../services/dashboard/change-provider-app.ts';
import { listProviderRows, type ProviderRow } from '../../services/dashboard/list-provider-rows.ts';
import type { App } from '../frame/app-type.ts';
import { tenantOf } from './environment.ts';
import { actorOf, operatorOf } from './operators.ts';
import { toSummary } from './overview.ts';

/** Routes for providers and their provider apps. All accounts of an installation share the provider apps. */
export function registerProviderRoutes(app: App, ctx: Context): void {
  app.get(
    '/providers',
    { schema: operations.listProviderRows, config: { role: 'viewer' } },
    async (request) => {
      const tenant = tenantOf(request, request.query.environment);
      const { mayChange, rows } = await listProviderRows(ctx, tenant, operatorOf(request));
      return { may_change: mayChange, data: rows.map(toRow) };
    },
  );

  app.put(
    '/providers/:provider',
    { schema: operations.setProviderApp, config: { role: 'owner' } },
    async (request, reply) => {
      const { provider } = request.params;
      const { client_id: clientId, client_secret: clientSecret, settings = {}, force = false } = request.body;
      await setProviderApp(ctx, actorOf(request), { provider, clientId, clientSecret, settings, force });
      return reply.code(204).send();
    },
  );

  app.delete(
    '/providers/:provider',
    { schema: operations.removeProviderApp, config: { role: 'owner' } },
    async (request, reply) => {
      const { provider } = request.params;
      const { force = false } = request.query;
      await removeProviderApp(ctx, actorOf(request), { provider, force });
      return reply.code(204).send();
    },
  );
}

function toRow({ summary, app }: ProviderRow): ProviderRowWire {
  return {
    ...toSummary(summary),
    push: summary.push,
    history_days: summary.historyDays,
    app: app && {
      is_set: app.isSet,
      is_readable: app.isReadable,
      client_id: app.clientId,
      updated_at: app.updatedAt,
      callback_url: app.callbackUrl,
      push_url: app.pushUrl,
      settings: app.settings.map(({ name, about, isSet }) => ({ name, about, is_set: isSet })),
    },
    by_state: summary.byState,
    errors: Object.entries(summary.failures).map(([kind, count]) => ({ kind, count: boundedCount(count) })),
  };
}
