import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import { asTenant } from '../../store/tenant.ts';
import { markWebhookDeleted } from '../../store/webhooks.ts';
import { record } from '../audit/record.ts';
import { webhookNotFound } from './webhook-not-found.ts';

/** Removes a webhook: nothing is sent to it any more, and a schedule removes its rows. Throws `not_found`, also the second time. */
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
