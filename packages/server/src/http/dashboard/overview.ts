import { overviewOperations as operations, type ProviderSummaryWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { readOverview } from '../../services/dashboard/read-overview.ts';
import type { ProviderSummary } from '../../services/dashboard/summarize-providers.ts';
import type { App } from '../frame/app-type.ts';
import { tenantOf } from './environment.ts';
import { operatorOf } from './operators.ts';

/** Routes for the overview page: items that need attention, and activity of the last 24 hours. */
export function registerOverviewRoutes(app: App, ctx: Context): void {
  app.get('/overview', { schema: operations.getOverview, config: { role: 'viewer' } }, async (request) => {
    const tenant = tenantOf(request, request.query.environment);
    const { providers, ...overview } = await readOverview(ctx, tenant, operatorOf(request));
    return { ...overview, providers: providers.map(toSummary) };
  });
}

export function toSummary(provider: ProviderSummary): ProviderSummaryWire {
  return {
    provider: provider.id,
    name: provider.name,
    kind: provider.kind,
    state: provider.state,
    connections: provider.connections,
    newest_data_at: provider.newestDataAt,
    limit_used: provider.limitUsed,
    affected: provider.byState.silent + provider.byState.ended,
  };
}
