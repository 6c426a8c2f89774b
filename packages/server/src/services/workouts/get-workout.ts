import { ApiError } from '@tributary/contract';
import { bucketsOf, type HeartRateBucket } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { findWorkout, type WorkoutRow } from '../../store/reads/sessions.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { ReadUser } from '../../store/users/read.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { heartRateFacts } from './heart-rate-facts.ts';
import type { ZonedWorkout } from './list-workouts-by-page.ts';
import { zonesOfWorkout } from './zones-of-workout.ts';

/** A workout with its heart rate trace in buckets of equal length, which are empty without a trace. */
export interface WorkoutInDetail extends ZonedWorkout, WorkoutRow {
  buckets: HeartRateBucket[];
}

/** Returns one workout of a user. */
export async function getWorkout(
  ctx: Context,
  tenant: Tenant,
  userId: string,
  id: string,
): Promise<{ user: ReadUser; workout: WorkoutInDetail }> {
  const result = await findWorkout(ctx.db, tenant, userId, id);
  if (!result) throw userNotFound(formatId('user', userId));
  if (!result.workout) throw new ApiError('workout_not_found');
  const { heartRate, ...workout } = result.workout;
  const zones = zonesOfWorkout(workout, heartRateFacts(result));
  return {
    user: result,
    workout: { ...workout, zones, buckets: bucketsOf(heartRate, workout.endMs - workout.startMs) },
  };
}
