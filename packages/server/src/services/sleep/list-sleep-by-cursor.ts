import type { DayRange } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { listSleepAfter, type SleepRow } from '../../store/session-reads.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { ReadUser } from '../../store/user-read.ts';
import type { OpenPage } from '../sessions/open-page.ts';
import { readPage, type NamedDays, type ReadPage } from '../sessions/read-page.ts';

/** One page of the list of sleep, newest first. */
export function listSleepByCursor(
  ctx: Context,
  tenant: Tenant,
  userId: string,
  input: { page: OpenPage; days: NamedDays; rangeFor: (user: ReadUser) => DayRange },
): Promise<ReadPage<SleepRow>> {
  return readPage(ctx, tenant, {
    ...input,
    list: 'sleep',
    userId,
    read: (page) => listSleepAfter(ctx.db, tenant, userId, page),
  });
}
