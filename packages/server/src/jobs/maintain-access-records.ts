import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { schedules } from '../queue/queues.ts';
import { maintainAccessRecords } from '../store/access-records/insert.ts';

/** Every hour, creates the tables for access records of the months to come and drops those past their retention. */
export async function scheduleAccessRecordMaintenance(ctx: Context, boss: PgBoss): Promise<void> {
  await boss.work(schedules.maintainAccessRecords, () =>
    maintainAccessRecords(ctx.operator, ctx.config.accessRecords.retentionDays),
  );
  await boss.schedule(schedules.maintainAccessRecords, '53 * * * *');
}
