import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { recomputeUserDays } from '../services/users/recompute-days.ts';
import { processJobs } from './process-jobs.ts';

/** Runs after a time zone change: splits the data into days again. */
export function processRecomputations(ctx: Context, boss: PgBoss): Promise<void> {
  return processJobs(ctx, boss, 'recut-user', { atOnce: 1 }, ({ userId }) => recomputeUserDays(ctx, userId));
}
