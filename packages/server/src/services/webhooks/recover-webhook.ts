import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import { queueMissedEvents } from '../../store/delivery-log.ts';
import { findPlaceOfTime } from '../../store/feed-time.ts';
import { asTenant } from '../../store/tenant.ts';
import { record } from '../audit/record.ts';
import { openEventsCursor, sealEventsCursor } from '../events/events-cursor.ts';
import { findPlace } from '../events/find-place.ts';
import { getActiveWebhook } from './get-active-webhook.ts';

/** Places that one call looks at. */
export const recoveryWindow = 10_000;

/** From where on: events that got their place since a time, or those after a cursor of the feed. */
export type RecoverFrom = { sinceMs: number } | { cursor: string };

/**
 * Queues what a webhook wants of a stretch of the feed and has not acknowledged, in feed order; throws `not_found`, `webhook_not_active` or
 * `invalid_cursor`. The cursor of the answer is how far it looked.
 */
export async function recoverWebhook(
  ctx: Pick<Context, 'db' | 'keyring' | 'newId' | 'wakeDeliveries'>,
  acting: Acting,
  webhookId: string,
  from: RecoverFrom,
): Promise<{ queued: number; cursor: string; hasMore: boolean }> {
  if ('cursor' in from) openEventsCursor(ctx, acting, from.cursor); // its shape is judged before the webhook is looked up
  const webhook = await getActiveWebhook(ctx, acting, webhookId);
  const { place: after, head } =
    'cursor' in from
      ? await findPlace(ctx, acting, from.cursor)
      : await findPlaceOfTime(ctx.db, acting, from.sinceMs);
  const upTo = Math.max(after, Math.min(head, after + recoveryWindow));
  const queued = await asTenant(ctx.db, acting, async (tx) => {
    const missed = await queueMissedEvents(tx, acting, webhook, { after, upTo });
    if (missed > 0)
      await record(ctx, tx, acting, {
        action: 'webhook.recovered',
        target: { type: 'webhook', id: formatId('wh', webhookId) },
        data: { queued: missed },
      });
    return missed;
  });
  if (queued > 0) ctx.wakeDeliveries(webhookId);
  return { queued, cursor: sealEventsCursor(ctx, acting, upTo), hasMore: upTo < head };
}
