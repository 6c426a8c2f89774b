import type { DayRange } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { listSleepAfter, type SleepRow } from '../../store/reads/sessions.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { ReadUser } from '../../store/users/read.ts';
import type { OpenPage } from '../sessions/open-page.ts';
import { readPage, type NamedDays, type ReadPage } from '../sessions/read-page.ts';

/** Lists one page of sleep sessions, newest first. */
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
