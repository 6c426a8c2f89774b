import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { updateWebhook as update, type Webhook, type WebhookChanges } from '../../store/webhooks.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { foldSubscriptions } from './fold-subscriptions.ts';
import { webhookNotFound } from './webhook-not-found.ts';

/** Changes only what is given; what was held goes on at once when it is active again. Throws `invalid_url` or `not_found`. */
export async function updateWebhook(
  ctx: Pick<Context, 'config' | 'db' | 'wakeDeliveries'>,
  tenant: Tenant,
  id: string,
  { url, events, ...changes }: WebhookChanges,
): Promise<Webhook> {
  const checked: WebhookChanges = {
    ...changes,
    ...(url === undefined ? {} : { url: checkEndpoint(ctx, url) }),
    ...(events === undefined ? {} : { events: foldSubscriptions(events) }),
  };
  const webhook = await asTenant(ctx.db, tenant, (tx) => update(tx, tenant, id, checked));
  if (!webhook) throw webhookNotFound(formatId('wh', id));
  if (changes.status === 'active') ctx.wakeDeliveries(id);
  return webhook;
}
