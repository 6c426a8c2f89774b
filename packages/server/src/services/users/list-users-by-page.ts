import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { findUserByReference, listUsersPage, type User } from '../../store/users/users.ts';

/** Lists one numbered page, newest first, with the exact number of all users. */
export async function listUsersByPage(
  ctx: Context,
  tenant: Tenant,
  input: { page: number; perPage: number; referenceId?: string | undefined },
): Promise<{ users: User[]; total: number }> {
  if (input.referenceId === undefined) {
    return listUsersPage(ctx.db, tenant, { limit: input.perPage, offset: (input.page - 1) * input.perPage });
  }
  const user = await findUserByReference(ctx.db, tenant, input.referenceId);
  return { users: user && input.page === 1 ? [user] : [], total: user ? 1 : 0 };
}
