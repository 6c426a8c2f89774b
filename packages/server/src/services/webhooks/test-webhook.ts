import type { EventType } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { insertTestDelivery, type LoggedDelivery } from '../../store/delivery-log.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { getActiveWebhook } from './get-active-webhook.ts';
import { makeTestEvent } from './make-test-event.ts';

/** Sends a made-up event; throws `not_found` or `webhook_not_active`. */
export async function testWebhook(
  ctx: Pick<Context, 'clock' | 'db' | 'newId' | 'wakeDeliveries'>,
  tenant: Tenant,
  webhookId: string,
  type: EventType | null,
): Promise<{ webhook: Webhook; delivery: LoggedDelivery }> {
  const webhook = await getActiveWebhook(ctx, tenant, webhookId);
  const [first] = webhook.events;
  const id = ctx.newId();
  const sent = makeTestEvent(
    id,
    type ?? (first === undefined || first === '*' ? 'data.updated' : first),
    new Date(ctx.clock.now()).toISOString(),
  );
  const delivery = await asTenant(ctx.db, tenant, (tx) =>
    insertTestDelivery(tx, tenant, webhookId, { id, sent }),
  );
  ctx.wakeDeliveries(webhookId);
  return { webhook, delivery };
}
