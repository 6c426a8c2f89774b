import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { resumeRemovals } from '../services/users/resume-removals.ts';
import { schedules } from '../queue/queues.ts';

/** Every hour, enqueues jobs for unfinished erasures and removals that have none. */
export async function scheduleResuming(ctx: Context, boss: PgBoss): Promise<void> {
  await boss.work(schedules.resumeRemovals, async () => {
    const resumed = await resumeRemovals(ctx);
    if (resumed.users + resumed.devices > 0) ctx.log.warn(resumed, 'removals resumed');
  });
  await boss.schedule(schedules.resumeRemovals, '41 * * * *');
}
