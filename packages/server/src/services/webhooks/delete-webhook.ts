import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { markWebhookDeleted } from '../../store/webhooks/webhooks.ts';
import { record } from '../audit/record.ts';
import { webhookNotFound } from './webhook-not-found.ts';

/**
 * Deletes a webhook: nothing more is sent to it, and a scheduled job removes its rows. Throws `not_found`, also for a webhook that is already
 * deleted.
 */
export async function deleteWebhook(
  ctx: Pick<Context, 'db' | 'newId'>,
  acting: Acting,
  id: string,
): Promise<void> {
  const target = { type: 'webhook', id: formatId('wh', id) };
  await asTenant(ctx.db, acting, async (tx) => {
    if (!(await markWebhookDeleted(tx, acting, id))) throw webhookNotFound(target.id);
    await record(ctx, tx, acting, { action: 'webhook.deleted', target });
  });
}
