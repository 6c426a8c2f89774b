import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { markUserDeleting } from '../../store/users.ts';
import { userNotFound } from './user-not-found.ts';

/** Hides the user from every read and frees its reference; throws `not_found`, also the second time. */
export async function deleteUser(ctx: Context, tenant: Tenant, id: string): Promise<void> {
  const deleted = await asTenant(ctx.db, tenant, (tx) => markUserDeleting(tx, tenant, id));
  if (!deleted) throw userNotFound(formatId('user', id));
}
