import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { pruneDeliveries } from '../services/webhooks/prune-deliveries.ts';
import { schedules } from './queues.ts';

/** Once an hour: deliveries past their retention go, and what is left of webhooks that were removed. */
export async function scheduleDeliveryPruning(ctx: Context, boss: PgBoss): Promise<void> {
  await boss.work(schedules.pruneDeliveries, async () => {
    ctx.log.info(await pruneDeliveries(ctx), 'deliveries pruned');
  });
  await boss.schedule(schedules.pruneDeliveries, '41 * * * *');
}
