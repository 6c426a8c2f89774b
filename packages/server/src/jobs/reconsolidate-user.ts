import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { reconsolidateUser } from '../services/consolidation/reconsolidate-user.ts';
import { processJobs } from './process-jobs.ts';

/** Runs after consolidation settings change: recomputes the history. */
export function processReconsolidations(ctx: Context, boss: PgBoss): Promise<void> {
  return processJobs(ctx, boss, 'reconsolidate-user', { atOnce: 2 }, ({ userId }) =>
    reconsolidateUser(ctx, userId),
  );
}
