import type { OverviewWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { listApiKeys } from '../../store/accounts/api-keys.ts';
import { listAcceptedHours } from '../../store/dashboard/hours.ts';
import { countUsers, hasAcceptedData } from '../../store/dashboard/overview.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { listAttentionItems } from './list-attention-items.ts';
import { readWebhookHealth, type DeliveryHours } from './read-webhook-health.ts';
import { hoursUpTo, type EventSample } from './sample-events.ts';
import { summarizeProviders, type ProviderSummary } from './summarize-providers.ts';

type Tiles = OverviewWire['tiles'];

/** Returns the data of the overview page. Every part is bounded, regardless of the account's size. */
export async function readOverview(
  ctx: Pick<Context, 'db' | 'operator' | 'clock' | 'config' | 'keyring' | 'keyUse'>,
  tenant: Tenant,
  { hasAuthenticator }: { hasAuthenticator: boolean },
): Promise<Omit<OverviewWire, 'providers'> & { providers: ProviderSummary[] }> {
  await ctx.keyUse.flush();
  const hours = hoursUpTo(ctx.clock.now());
  const [health, providers, accepted, allKeys, users, hasData] = await Promise.all([
    readWebhookHealth(ctx, tenant),
    summarizeProviders(ctx, tenant),
    listAcceptedHours(ctx.db, tenant, hours[0]!),
    listApiKeys(ctx.db, tenant.accountId),
    countUsers(ctx.db, tenant),
    hasAcceptedData(ctx.db, tenant),
  ]);
  const { webhooks } = health;
  const keys = allKeys.filter(({ environment }) => environment === tenant.environment);
  return {
    needs: await listAttentionItems(ctx, tenant, { webhooks, providers, keys, hasAuthenticator }),
    tiles: {
      accepted: acceptedTile(hours, accepted),
      fresh: freshTile(providers),
      delivered: deliveredTile(health),
      events: eventsTile(hours, health.sample),
    },
    providers,
    first_run: {
      has_key: keys.some(({ revokedAt }) => revokedAt === null),
      has_key_used: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
      has_user: users > 0,
      has_data: hasData,
    },
  };
}

function acceptedTile(
  hours: readonly number[],
  accepted: readonly { at: string; batches: number; accepted: number }[],
): Tiles['accepted'] {
  const byHour = new Map(accepted.map((one) => [Date.parse(one.at), one]));
  const shown = hours.map((startMs) => {
    const { accepted: values = 0, batches = 0 } = byHour.get(startMs) ?? {};
    return { at: new Date(startMs).toISOString(), values, batches };
  });
  return { total: shown.reduce((sum, { values }) => sum + values, 0), hours: shown };
}

/** Counts only connections to cloud providers, because phones have no expected sync interval. */
function freshTile(providers: readonly ProviderSummary[]): Tiles['fresh'] {
  const sum = (state: 'fresh' | 'late' | 'silent' | 'ended') =>
    providers.reduce((total, { byState }) => total + byState[state], 0);
  const [fresh, late, silent, ended] = [sum('fresh'), sum('late'), sum('silent'), sum('ended')];
  const all = fresh + late + silent;
  return { share: all === 0 ? null : fresh / all, fresh, late, silent, ended };
}

function deliveredTile({ hours, delivered, isApproximate }: DeliveryHours): Tiles['delivered'] {
  const shown = hours.map((startMs, at) => {
    const own = delivered.filter(({ hour }) => hour === at);
    const sum = (field: 'first' | 'later' | 'failed') => own.reduce((total, one) => total + one[field], 0);
    return {
      at: new Date(startMs).toISOString(),
      first: sum('first'),
      later: sum('later'),
      failed: sum('failed'),
    };
  });
  const total = shown.reduce((sum, { first, later }) => sum + first + later, 0);
  return { total, approximate: isApproximate, hours: shown };
}

function eventsTile(hours: readonly number[], { events, step, total }: EventSample): Tiles['events'] {
  const shown = hours.map((startMs, at) => {
    const types: Record<string, number> = {};
    for (const { type, hour } of events) if (hour === at) types[type] = (types[type] ?? 0) + step;
    const count = Object.values(types).reduce((sum, one) => sum + one, 0);
    return { at: new Date(startMs).toISOString(), count, types };
  });
  return { total, approximate: step > 1, hours: shown };
}
