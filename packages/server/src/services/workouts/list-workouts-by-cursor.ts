import type { DayRange } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { listWorkoutsAfter, type WorkoutRow } from '../../store/reads/sessions.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { ReadUser } from '../../store/users/read.ts';
import type { OpenPage } from '../sessions/open-page.ts';
import { readPage, type NamedDays, type ReadPage } from '../sessions/read-page.ts';

/** Lists one page of workouts, newest first. */
export function listWorkoutsByCursor(
  ctx: Context,
  tenant: Tenant,
  userId: string,
  input: { page: OpenPage; days: NamedDays; rangeFor: (user: ReadUser) => DayRange },
): Promise<ReadPage<WorkoutRow>> {
  return readPage(ctx, tenant, {
    ...input,
    list: 'workouts',
    userId,
    read: (page) => listWorkoutsAfter(ctx.db, tenant, userId, page),
  });
}
