import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { pruneRaw } from '../services/batches/prune-raw.ts';
import { schedules } from './queues.ts';

/** Once a day: raw batches past their retention go. */
export async function schedulePruning(ctx: Context, boss: PgBoss): Promise<void> {
  await boss.work(schedules.pruneRaw, async () => {
    ctx.log.info(await pruneRaw(ctx), 'raw pruned');
  });
  await boss.schedule(schedules.pruneRaw, '23 3 * * *');
}
