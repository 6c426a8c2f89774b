import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { queueMissedEvents } from '../../store/webhooks/delivery-log.ts';
import { findPlaceOfTime } from '../../store/events/feed-time.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';
import { openEventsCursor, sealEventsCursor } from '../events/events-cursor.ts';
import { findStartPosition } from '../events/find-start-position.ts';
import { getActiveWebhook } from './get-active-webhook.ts';

/** Number of positions that one call scans. */
export const recoveryWindow = 10_000;

/** The start: events sequenced since a time, or events after a feed cursor. */
export type RecoverFrom = { sinceMs: number } | { cursor: string };

/**
 * Queues the subscribed events of a part of the feed that the endpoint has not acknowledged, in feed order. The returned cursor marks how far it
 * scanned. Throws `not_found`, `webhook_not_active` or `invalid_cursor`.
 */
export async function recoverWebhook(
  ctx: Pick<Context, 'db' | 'keyring' | 'newId' | 'wakeDeliveries'>,
  acting: Acting,
  webhookId: string,
  from: RecoverFrom,
): Promise<{ queued: number; cursor: string; hasMore: boolean }> {
  if ('cursor' in from) openEventsCursor(ctx, acting, from.cursor); // validate the cursor before looking up the webhook
  const webhook = await getActiveWebhook(ctx, acting, webhookId);
  const { place: after, head } =
    'cursor' in from
      ? await findStartPosition(ctx, acting, from.cursor)
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
