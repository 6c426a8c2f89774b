import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { markUserDeleting } from '../../store/users/users.ts';
import { beginErasure } from './begin-erasure.ts';
import { userNotFound } from './user-not-found.ts';

/**
 * Hides the user from every read, frees its reference ID, ends its sessions and enqueues the erasure. Throws `not_found`, also for a user that is
 * already deleted.
 */
export async function deleteUser(ctx: Context, acting: Acting, id: string): Promise<void> {
  const deleted = await asTenant(ctx.db, acting, async (tx) => {
    // In this order: starting a session locks the user first, so no session can start in between.
    const marked = await markUserDeleting(tx, acting, id);
    if (marked) await beginErasure(ctx, tx, acting, id);
    return marked;
  });
  if (!deleted) throw userNotFound(formatId('user', id));
}
