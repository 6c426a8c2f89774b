import { ApiError, operations, type ProviderWire } from '@tributary/contract';
import { findProvider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { listProviders, type ListedProvider } from '../../services/providers/list-providers.ts';
import type { App } from '../frame/app-type.ts';
import { callerOf } from '../frame/auth.ts';

export function registerProviderRoutes(app: App, ctx: Context): void {
  app.get('/v1/providers', { schema: operations.listProviders }, async (request) => {
    const all = await listProviders(ctx, callerOf(request).tenant.environment);
    const shown = request.query.include ? all : all.filter(({ status }) => status === 'available');
    return { data: shown.map((provider) => toProviderWire(provider, ctx.config.http.publicUrl)) };
  });

  app.get<{ Params: { id: string } }>(
    '/providers/:id/logo.svg',
    { schema: { hide: true } },
    (request, reply) => {
      const logo = logoOf(request.params.id);
      if (logo === null) throw new ApiError('not_found');
      return reply
        .headers({
          'Content-Type': 'image/svg+xml; charset=utf-8',
          'Cache-Control': 'public, max-age=86400',
          'Content-Security-Policy': "default-src 'none'",
          'X-Content-Type-Options': 'nosniff',
        })
        .send(logo);
    },
  );
}

function toProviderWire(provider: ListedProvider, publicUrl: string): ProviderWire {
  return {
    id: provider.id,
    name: provider.name,
    kind: provider.kind,
    categories: provider.categories,
    metrics: [...provider.metrics],
    push: provider.push,
    history_days: provider.historyDays,
    logo_url: `${publicUrl}/providers/${provider.id}/logo.svg`,
    status: provider.status,
  };
}

/** A plain logo with the first letter, because providers' real logos belong to their owners. */
function logoOf(id: string): string | null {
  const letter = (findProvider(id)?.name ??
    { apple_health: 'A', health_connect: 'H', samsung_health: 'S' }[id])?.[0];
  if (letter === undefined) return null;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#0a6c74"/>` +
    `<text x="32" y="43" font-family="system-ui, sans-serif" font-size="32" font-weight="600" text-anchor="middle" fill="#fff">${letter}</text></svg>`
  );
}
