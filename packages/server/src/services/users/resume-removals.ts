import { hourMs } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database/database.ts';
import { listOverdueErasures } from '../../store/users/erasures.ts';
import { listOverdueRemovals } from '../../store/devices/removed.ts';

/** After this time, a job has either run or been lost. */
const overdueMs = hourMs;
const mostAtOnce = 1_000;

/** Enqueues overdue erasures and removals again. If a job is still waiting, it is reused. */
export function resumeRemovals(
  ctx: Pick<Context, 'operator' | 'jobs'>,
): Promise<{ users: number; devices: number }> {
  return inTransaction(ctx.operator, async (tx) => {
    const users = await listOverdueErasures(tx, overdueMs, mostAtOnce);
    for (const userId of users) await ctx.jobs.enqueue(tx, 'erase-user', { key: userId, data: { userId } });
    const devices = await listOverdueRemovals(tx, overdueMs, mostAtOnce);
    for (const device of devices)
      await ctx.jobs.enqueue(tx, 'remove-device', { key: device.deviceId, data: device });
    return { users: users.length, devices: devices.length };
  });
}
