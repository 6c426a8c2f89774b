import type { DayRange } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { listSleepAfter, placeBefore, type SleepRow } from '../../store/reads/sessions.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { ReadUser } from '../../store/users/read.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** Lists all sleep sessions of a range of days, newest first. */
export async function listSleep(
  ctx: Context,
  tenant: Tenant,
  userId: string,
  range: DayRange,
): Promise<{ user: ReadUser; sessions: SleepRow[] }> {
  const page = { spans: [range], after: placeBefore(range), most: null };
  const result = await listSleepAfter(ctx.db, tenant, userId, page);
  if (!result) throw userNotFound(formatId('user', userId));
  return { user: result, sessions: result.sessions };
}
