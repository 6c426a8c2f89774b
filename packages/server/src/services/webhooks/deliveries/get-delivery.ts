import type { Context } from '../../../context.ts';
import { formatId } from '../../../ids.ts';
import { findDelivery, type DeliveryInDetail } from '../../../store/webhooks/delivery-log.ts';
import type { Tenant } from '../../../store/database/tenant.ts';
import type { Webhook } from '../../../store/webhooks/webhooks.ts';
import { deliveryNotFound } from './delivery-not-found.ts';
import { getWebhook } from '../get-webhook.ts';

/** Returns a delivery with its attempts and payload. Throws `not_found`. */
export async function getDelivery(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  webhookId: string,
  eventId: string,
): Promise<{ webhook: Webhook; delivery: DeliveryInDetail }> {
  const webhook = await getWebhook(ctx, tenant, webhookId);
  const delivery = await findDelivery(ctx.db, tenant, webhookId, eventId);
  if (!delivery) throw deliveryNotFound(formatId('evt', eventId));
  return { webhook, delivery };
}
