import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { recomputeUserDays } from '../services/users/recut-user.ts';
import { workOn } from './work-on.ts';

/** Runs after a time zone change: splits the data into days again. */
export function workOnRecuts(ctx: Context, boss: PgBoss): Promise<void> {
  return workOn(ctx, boss, 'recut-user', { atOnce: 1 }, ({ userId }) => recomputeUserDays(ctx, userId));
}
