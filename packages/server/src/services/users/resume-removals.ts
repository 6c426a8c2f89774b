import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database.ts';
import { listOverdueErasures } from '../../store/erasures.ts';
import { listOverdueRemovals } from '../../store/removed-devices.ts';

/** By then a job has run, or was lost. */
const overdueMs = 3_600_000;
const mostAtOnce = 1_000;

/** Enqueues anew what should long have been erased or removed; one whose job still waits shares that job. */
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
