import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { sweepCredentials } from '../services/credentials/sweep-credentials.ts';
import { schedules } from './queues.ts';

/** Once an hour: credentials past their end are marked or removed. */
export async function scheduleCredentialSweep(ctx: Context, boss: PgBoss): Promise<void> {
  await boss.work(schedules.sweepCredentials, async () => {
    const swept = await sweepCredentials(ctx);
    ctx.log.info(swept, 'credentials swept');
  });
  await boss.schedule(schedules.sweepCredentials, '17 * * * *');
}
