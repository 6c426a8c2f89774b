import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { eraseUser } from '../services/users/erase-user.ts';
import { workOn } from './work-on.ts';

/** After the deletion of a user: everything that is kept of it goes. */
export function workOnErasures(ctx: Context, boss: PgBoss): Promise<void> {
  return workOn(ctx, boss, 'erase-user', { atOnce: 2 }, async ({ userId }) => {
    const removed = await eraseUser(ctx, userId);
    if (removed) ctx.log.info({ removed }, 'user erased');
  });
}
