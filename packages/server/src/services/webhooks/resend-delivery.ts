import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import { findDelivery, resendDelivery as resend, type LoggedDelivery } from '../../store/delivery-log.ts';
import { asTenant } from '../../store/tenant.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { record } from '../audit/record.ts';
import { deliveryNotFound } from './delivery-not-found.ts';
import { getActiveWebhook } from './get-active-webhook.ts';

/** Has a delivery sent again, or sooner; throws `not_found`, `webhook_not_active` or `delivery_merged`. */
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
      ? toldBy(formatId('evt', merged.mergedInto))
      : deliveryNotFound(formatId('evt', eventId));
  });
  ctx.wakeDeliveries(webhookId);
  return { webhook, delivery };
}

function toldBy(eventId: string): ApiError {
  return new ApiError('delivery_merged', {
    message: `A later event of the same user tells this one too. Send the delivery of ${eventId} again.`,
    details: { merged_into: eventId },
  });
}
