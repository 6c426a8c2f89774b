import { onDeviceProviders } from '@tributary/contract';
import { findMetric } from '@tributary/domain';
import { providers, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { findApp } from './find-app.ts';
import { providerName } from './provider-name.ts';

export interface ListedProvider {
  id: string;
  name: string;
  kind: Provider['kind'];
  categories: string[];
  metrics: readonly string[];
  push: boolean;
  historyDays: number | null;
  status: 'available' | 'not_configured' | 'on_device';
}

/** Lists the providers of an environment with their status. */
export async function listProviders(
  ctx: Pick<Context, 'db' | 'config' | 'keyring'>,
  environment: Environment,
): Promise<ListedProvider[]> {
  const cloud = await Promise.all(
    providers.map(async (provider): Promise<ListedProvider> => {
      const app = await findApp(ctx, ctx.db, environment, provider);
      return {
        id: provider.id,
        name: provider.name,
        kind: provider.kind,
        categories: categoriesOf(provider.metrics),
        metrics: provider.metrics,
        push: provider.push !== null,
        historyDays: provider.historyDays,
        status: app ? 'available' : 'not_configured',
      };
    }),
  );
  const phones = onDeviceProviders.map((id): ListedProvider => ({
    id,
    name: providerName(id),
    kind: 'phone',
    categories: [],
    metrics: [],
    push: true,
    historyDays: null,
    status: 'on_device',
  }));
  return [...cloud, ...phones];
}

/** The categories of these metrics, sorted. */
function categoriesOf(metrics: readonly string[]): string[] {
  return [...new Set(metrics.flatMap((id) => findMetric(id)?.category ?? []))].sort();
}
