import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { pruneDeliveries } from '../services/webhooks/deliveries/prune-deliveries.ts';
import { schedules } from '../queue/queues.ts';

/** Every hour, deletes deliveries past their retention and what remains of removed webhooks. */
export async function scheduleDeliveryPruning(ctx: Context, boss: PgBoss): Promise<void> {
  await boss.work(schedules.pruneDeliveries, async () => {
    ctx.log.info(await pruneDeliveries(ctx), 'deliveries pruned');
  });
  await boss.schedule(schedules.pruneDeliveries, '41 * * * *');
}
