import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { markWebhookDeleted } from '../../store/webhooks.ts';
import { webhookNotFound } from './webhook-not-found.ts';

/** Removes a webhook: nothing is sent to it any more, and a schedule removes its rows. Throws `not_found`, also the second time. */
export async function deleteWebhook(ctx: Pick<Context, 'db'>, tenant: Tenant, id: string): Promise<void> {
  const deleted = await asTenant(ctx.db, tenant, (tx) => markWebhookDeleted(tx, tenant, id));
  if (!deleted) throw webhookNotFound(formatId('wh', id));
}
