import { hourMs } from '@tributary/domain';
import type { Context } from '../../../context.ts';
import { inLongTransaction } from '../../../store/database/long-transaction.ts';
import {
  deleteOldDeliveries,
  deleteOrphanedDeliveries,
  deleteRemovedWebhooks,
  listOldDeliveries,
} from '../../../store/webhooks/old-deliveries.ts';

/** Deliveries listed per query. Listing them scans all pages that contain old ones. */
const mostListed = 50_000;
/** Maximum number of deliveries removed in one transaction. */
const mostRemoved = 5_000;
const forgetWebhooksMs = hourMs;

/** Removes deliveries past retention, and all rows of deleted webhooks. */
export async function pruneDeliveries(
  ctx: Pick<Context, 'operator' | 'config'>,
): Promise<{ old: number; orphaned: number; webhooks: number }> {
  const orphaned = await pruneOrphaned(ctx);
  const webhooks = await inLongTransaction(ctx.operator, (tx) => deleteRemovedWebhooks(tx, forgetWebhooksMs));
  return { old: await pruneOld(ctx), orphaned, webhooks };
}

async function pruneOrphaned(ctx: Pick<Context, 'operator'>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await inLongTransaction(ctx.operator, (tx) => deleteOrphanedDeliveries(tx, mostRemoved));
    total += removed;
    if (removed < mostRemoved) return total;
  }
}

async function pruneOld({ operator, config }: Pick<Context, 'operator' | 'config'>): Promise<number> {
  const { deliveryRetentionDays: days } = config.webhooks;
  let total = 0;
  for (;;) {
    const old = await inLongTransaction(operator, (tx) => listOldDeliveries(tx, days, mostListed));
    let removed = 0;
    for (let at = 0; at < old.length; at += mostRemoved) {
      const piece = old.slice(at, at + mostRemoved);
      removed += await inLongTransaction(operator, (tx) => deleteOldDeliveries(tx, days, piece));
    }
    total += removed;
    if (old.length < mostListed || removed === 0) return total;
  }
}
