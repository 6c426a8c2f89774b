import { ApiError, providerOperations as operations, type ProviderRowWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { boundedCount } from '../../services/operators/bounded-count.ts';
import { AppProblem } from '../../services/providers/app-problem.ts';
import { configureApp } from '../../services/providers/configure-app.ts';
import { removeApp } from '../../services/providers/remove-app.ts';
import { describeApps, type DescribedApp } from '../../services/operators/describe-apps.ts';
import { summarizeProviders, type ProviderSummary } from '../../services/operators/summarize-providers.ts';
import { countAccounts } from '../../store/dashboard/overview.ts';
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
      const [summaries, apps, mayChange] = await Promise.all([
        summarizeProviders(ctx, tenant),
        describeApps(ctx, tenant.environment),
        hasOneAccount(),
      ]);
      const showsPush = mayChange && operatorOf(request).role === 'owner';
      return {
        may_change: mayChange,
        data: summaries.map((summary) =>
          toRow(summary, apps.find(({ provider }) => provider === summary.id) ?? null, {
            showsApp: mayChange,
            showsPush,
          }),
        ),
      };
    },
  );

  app.put(
    '/providers/:provider',
    { schema: operations.setProviderApp, config: { role: 'owner' } },
    async (request, reply) => {
      const { provider } = request.params;
      await refuseShared(`tributary provider set ${provider} --client-id … --client-secret-file …`);
      const { client_id: clientId, client_secret: clientSecret, settings = {}, force = false } = request.body;
      const change = { provider, clientId, clientSecret, settings, force };
      await withApiErrors(configureApp(ctx, actorOf(request), change));
      return reply.code(204).send();
    },
  );

  app.delete(
    '/providers/:provider',
    { schema: operations.removeProviderApp, config: { role: 'owner' } },
    async (request, reply) => {
      const { provider } = request.params;
      await refuseShared(`tributary provider remove ${provider}`);
      const { force = false } = request.query;
      await withApiErrors(removeApp(ctx, actorOf(request), { provider, force }));
      return reply.code(204).send();
    },
  );

  async function hasOneAccount(): Promise<boolean> {
    return (await countAccounts(ctx.operator)) === 1;
  }

  /** With several accounts, no single account may change the provider apps that all of them share. */
  async function refuseShared(command: string): Promise<void> {
    if (await hasOneAccount()) return;
    throw new ApiError('role_too_low', {
      message: `Several accounts share this provider app. Your operator can change it on the command line: ${command}`,
      details: { command },
    });
  }
}

/** Converts errors about provider apps, which name command line options, to API errors that name fields. */
function withApiErrors<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof AppProblem)) throw error;
    throw new ApiError('invalid_request', { message: error.message.replaceAll('--force', '`force`') });
  });
}

function toRow(
  summary: ProviderSummary,
  app: DescribedApp | null,
  shown: { showsApp: boolean; showsPush: boolean },
): ProviderRowWire {
  return {
    ...toSummary(summary),
    push: summary.push,
    history_days: summary.historyDays,
    app: app && {
      is_set: app.isSet,
      is_readable: app.isReadable,
      client_id: shown.showsApp ? app.clientId : null,
      updated_at: app.updatedAt,
      callback_url: app.callbackUrl,
      push_url: shown.showsPush ? app.pushUrl : null,
      settings: app.settings.map(({ name, about, isSet }) => ({ name, about, is_set: isSet })),
    },
    by_state: summary.byState,
    errors: Object.entries(summary.failures).map(([kind, count]) => ({ kind, count: boundedCount(count) })),
  };
}
