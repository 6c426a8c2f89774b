import type { Context } from '../../context.ts';
import { listDeliveredHours, type DeliveredHour } from '../../store/dashboard-hours.ts';
import { listWebhookStates, type WebhookState } from '../../store/dashboard-webhooks.ts';
import type { Tenant } from '../../store/tenant.ts';
import { hoursUpTo, sampleEvents, thinOut, type EventSample } from './sample-events.ts';

/** Deliveries that are looked up for all webhooks together, and events for each at least. */
const mostLookedUp = 2_000;
const fewestEvents = 40;

export interface DeliveryHours {
  /** When each hour began. */
  hours: number[];
  /** What became of the events, by webhook and hour; scaled up where only some were looked at. */
  delivered: DeliveredHour[];
  isApproximate: boolean;
}

/** How every webhook is doing, and what became of the events of the last 24 hours at each. */
export async function readWebhookHealth(
  ctx: Pick<Context, 'db' | 'clock'>,
  tenant: Tenant,
): Promise<DeliveryHours & { webhooks: WebhookState[]; sample: EventSample }> {
  const hours = hoursUpTo(ctx.clock.now());
  const [webhooks, sample] = await Promise.all([
    listWebhookStates(ctx.db, tenant),
    sampleEvents(ctx, tenant, hours),
  ]);
  const ids = webhooks.map(({ id }) => id);
  return { webhooks, sample, hours, ...(await readDelivered(ctx, tenant, ids, sample)) };
}

async function readDelivered(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  webhookIds: readonly string[],
  sample: EventSample,
): Promise<Pick<DeliveryHours, 'delivered' | 'isApproximate'>> {
  if (webhookIds.length === 0) return { delivered: [], isApproximate: false };
  const most = Math.max(fewestEvents, Math.floor(mostLookedUp / webhookIds.length));
  const { events, step } = thinOut(sample, most);
  const found = await listDeliveredHours(ctx.db, tenant, webhookIds, events);
  const delivered = found.map(({ first, later, failed, ...rest }) => ({
    ...rest,
    first: first * step,
    later: later * step,
    failed: failed * step,
  }));
  return { delivered, isApproximate: step > 1 };
}
