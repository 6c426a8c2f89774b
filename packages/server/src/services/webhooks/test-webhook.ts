import type { EventType } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { insertTestDelivery, type LoggedDelivery } from '../../store/webhooks/delivery-log.ts';
import { asTenant } from '../../store/database/tenant.ts';
import type { Webhook } from '../../store/webhooks/webhooks.ts';
import { record } from '../audit/record.ts';
import { getActiveWebhook } from './get-active-webhook.ts';
import { makeTestEvent } from './make-test-event.ts';

/** Queues a test event. Throws `not_found` or `webhook_not_active`. */
export async function testWebhook(
  ctx: Pick<Context, 'clock' | 'db' | 'newId' | 'wakeDeliveries'>,
  acting: Acting,
  webhookId: string,
  type: EventType | null,
): Promise<{ webhook: Webhook; delivery: LoggedDelivery }> {
  const webhook = await getActiveWebhook(ctx, acting, webhookId);
  const [first] = webhook.events;
  const id = ctx.newId();
  const sent = makeTestEvent(
    id,
    type ?? (first === undefined || first === '*' ? 'data.updated' : first),
    new Date(ctx.clock.now()).toISOString(),
  );
  const delivery = await asTenant(ctx.db, acting, async (tx) => {
    const inserted = await insertTestDelivery(tx, acting, webhookId, { id, sent });
    await record(ctx, tx, acting, {
      action: 'webhook.tested',
      target: { type: 'webhook', id: formatId('wh', webhookId) },
      data: { event: sent.event_id, event_type: sent.event_type },
    });
    return inserted;
  });
  ctx.wakeDeliveries(webhookId);
  return { webhook, delivery };
}
