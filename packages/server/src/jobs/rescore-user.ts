import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { rescoreUser } from '../services/scores/rescore-user.ts';
import { processJobs } from './process-jobs.ts';

/** Runs after a change of the profile fields that scores depend on. */
export function processRescores(ctx: Context, boss: PgBoss): Promise<void> {
  return processJobs(ctx, boss, 'rescore-user', { atOnce: 1 }, ({ userId }) => rescoreUser(ctx, userId));
}
