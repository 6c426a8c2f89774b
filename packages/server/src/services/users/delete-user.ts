import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import { asTenant } from '../../store/tenant.ts';
import { markUserDeleting } from '../../store/users.ts';
import { beginErasure } from './begin-erasure.ts';
import { userNotFound } from './user-not-found.ts';

/** Hides the user from every read, frees its reference, ends its sessions and has everything erased; throws `not_found`, also the second time. */
export async function deleteUser(ctx: Context, acting: Acting, id: string): Promise<void> {
  const deleted = await asTenant(ctx.db, acting, async (tx) => {
    // In this order: who starts a session holds the user first, so that none can start behind our back.
    const marked = await markUserDeleting(tx, acting, id);
    if (marked) await beginErasure(ctx, tx, acting, id);
    return marked;
  });
  if (!deleted) throw userNotFound(formatId('user', id));
}
