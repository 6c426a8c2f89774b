import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { pruneRaw } from '../services/batches/prune-raw.ts';
import { schedules } from '../queue/queues.ts';

/** Every day, deletes raw batches past their retention. */
export async function schedulePruning(ctx: Context, boss: PgBoss): Promise<void> {
  await boss.work(schedules.pruneRaw, async () => {
    ctx.log.info(await pruneRaw(ctx), 'raw batches pruned');
  });
  await boss.schedule(schedules.pruneRaw, '23 3 * * *');
}
