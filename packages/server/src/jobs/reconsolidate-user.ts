import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { reconsolidateUser } from '../services/consolidation/reconsolidate-user.ts';
import { workOn } from './work-on.ts';

/** Runs after consolidation settings change: recomputes the history. */
export function workOnReconsolidations(ctx: Context, boss: PgBoss): Promise<void> {
  return workOn(ctx, boss, 'reconsolidate-user', { atOnce: 2 }, ({ userId }) =>
    reconsolidateUser(ctx, userId),
  );
}
