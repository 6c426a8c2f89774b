import { observedDays, placeInMonth, type DayRange, type HeartRateZone } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { listWorkoutPage, type WorkoutRow } from '../../store/reads/sessions.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { ReadUser } from '../../store/users/read.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { heartRateFacts } from './heart-rate-facts.ts';
import { zonesOfWorkout } from './zones-of-workout.ts';

/** A workout with the time in each heart rate zone, or null without a trace. */
export interface ZonedWorkout extends Omit<WorkoutRow, 'strainTenths'> {
  zones: HeartRateZone[] | null;
}

/** Lists one numbered page of the workouts of a range of days, newest first. */
export async function listWorkoutsByPage(
  ctx: Context,
  tenant: Tenant,
  userId: string,
  { range, page, perPage }: { range: DayRange; page: number; perPage: number },
): Promise<{ user: ReadUser; total: number; workouts: ZonedWorkout[] }> {
  const result = await listWorkoutPage(ctx.db, tenant, userId, {
    days: range,
    months: {
      from: placeInMonth(range.from - observedDays + 1).month,
      to: placeInMonth(range.to).month,
    },
    limit: perPage,
    offset: (page - 1) * perPage,
  });
  if (!result) throw userNotFound(formatId('user', userId));
  const facts = heartRateFacts(result);
  const workouts = result.sessions.map((workout) => ({ ...workout, zones: zonesOfWorkout(workout, facts) }));
  return { user: result, total: result.total, workouts };
}
