import type { Context } from '../../context.ts';
import { listDeliveredHours, type DeliveredHour } from '../../store/dashboard/hours.ts';
import { listWebhookStates, type WebhookState } from '../../store/dashboard/webhooks.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { hoursUpTo, sampleEvents, thinOut, type EventSample } from './sample-events.ts';

/** Maximum number of deliveries to query for all webhooks together, and minimum number of events per webhook. */
const maxQueriedDeliveries = 2_000;
const fewestEvents = 40;

export interface DeliveryHours {
  /** Start of each hour. */
  hours: number[];
  /** Outcomes of events by webhook and hour, scaled up if sampled. */
  delivered: DeliveredHour[];
  isApproximate: boolean;
}

/** Returns the health of every webhook and the outcomes of its events in the last 24 hours. */
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
  const most = Math.max(fewestEvents, Math.floor(maxQueriedDeliveries / webhookIds.length));
  const { events, step } = thinOut(sample, most);
  const sampledHours = await listDeliveredHours(ctx.db, tenant, webhookIds, events);
  const delivered = sampledHours.map(({ first, later, failed, ...rest }) => ({
    ...rest,
    first: first * step,
    later: later * step,
    failed: failed * step,
  }));
  return { delivered, isApproximate: step > 1 };
}
