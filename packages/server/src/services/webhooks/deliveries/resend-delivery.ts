import { ApiError } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import { formatId } from '../../../ids.ts';
import type { Acting } from '../../../store/audit/actor.ts';
import {
  findDelivery,
  resendDelivery as resend,
  type LoggedDelivery,
} from '../../../store/webhooks/delivery-log.ts';
import { asTenant } from '../../../store/database/tenant.ts';
import type { Webhook } from '../../../store/webhooks/webhooks.ts';
import { record } from '../../audit/record.ts';
import { deliveryNotFound } from './delivery-not-found.ts';
import { getActiveWebhook } from '../get-active-webhook.ts';

/** Queues a delivery for immediate sending. Throws `not_found`, `webhook_not_active` or `delivery_merged`. */
export async function resendDelivery(
  ctx: Pick<Context, 'db' | 'newId' | 'wakeDeliveries'>,
  acting: Acting,
  webhookId: string,
  eventId: string,
): Promise<{ webhook: Webhook; delivery: LoggedDelivery }> {
  const webhook = await getActiveWebhook(ctx, acting, webhookId);
  const delivery = await asTenant(ctx.db, acting, async (tx) => {
    const resent = await resend(tx, acting, webhookId, eventId);
    if (resent) {
      await record(ctx, tx, acting, {
        action: 'delivery.resent',
        target: { type: 'delivery', id: formatId('evt', eventId) },
        data: { webhook: formatId('wh', webhookId) },
      });
      return resent;
    }
    const merged = await findDelivery(tx, acting, webhookId, eventId);
    throw merged?.mergedInto
      ? deliveryMerged(formatId('evt', merged.mergedInto))
      : deliveryNotFound(formatId('evt', eventId));
  });
  ctx.wakeDeliveries(webhookId);
  return { webhook, delivery };
}

function deliveryMerged(eventId: string): ApiError {
  return new ApiError('delivery_merged', {
    message: `This event was merged into a later one. Resend the delivery of ${eventId} instead.`,
    details: { merged_into: eventId },
  });
}
