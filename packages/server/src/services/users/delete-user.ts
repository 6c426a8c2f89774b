import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { insertErasure } from '../../store/erasures.ts';
import { revokeSessionsOfUser } from '../../store/sdk-sessions.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { markUserDeleting } from '../../store/users.ts';
import { userNotFound } from './user-not-found.ts';

/** Hides the user from every read, frees its reference, ends its sessions and has everything erased; throws `not_found`, also the second time. */
export async function deleteUser(ctx: Context, tenant: Tenant, id: string): Promise<void> {
  const deleted = await asTenant(ctx.db, tenant, async (tx) => {
    // In this order: who starts a session holds the user first, so that none can start behind our back.
    const marked = await markUserDeleting(tx, tenant, id);
    if (!marked) return false;
    await revokeSessionsOfUser(tx, tenant, id);
    await insertErasure(tx, tenant, id);
    await ctx.jobs.enqueue(tx, 'erase-user', { key: id, data: { userId: id } });
    return true;
  });
  if (!deleted) throw userNotFound(formatId('user', id));
}
