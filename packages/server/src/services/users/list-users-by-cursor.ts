import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { openCursor, sealCursor } from '../../credentials/cursor.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { findUserByReference, lastId, listUsersBefore, type User } from '../../store/users/users.ts';

const list = 'users';
const defaultLimit = 50;

/** Lists the users after a cursor, newest first. Parameters omitted in a follow-up request come from the cursor. */
export async function listUsersByCursor(
  ctx: Context,
  tenant: Tenant,
  input: { limit?: number | undefined; cursor?: string | undefined; referenceId?: string | undefined },
): Promise<{ users: User[]; nextCursor: string | null }> {
  if (input.cursor === undefined && input.referenceId !== undefined) {
    const user = await findUserByReference(ctx.db, tenant, input.referenceId);
    return { users: user ? [user] : [], nextCursor: null };
  }
  const { beforeId, limit } = readPlace(ctx, tenant, input);
  const rows = await listUsersBefore(ctx.db, tenant, beforeId, limit + 1);
  const users = rows.slice(0, limit);
  const last = users.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { users, nextCursor: more ? sealCursor(ctx.keyring, list, tenant, [last.id, limit]) : null };
}

function readPlace(
  ctx: Context,
  tenant: Tenant,
  input: { limit?: number | undefined; cursor?: string | undefined; referenceId?: string | undefined },
): { beforeId: string; limit: number } {
  if (input.cursor === undefined) return { beforeId: lastId, limit: input.limit ?? defaultLimit };
  const [beforeId, limit] = openCursor(ctx.keyring, list, tenant, input.cursor) as [string, number];
  // A filtered list has one page, so a cursor never belongs to one.
  const changed = input.referenceId !== undefined || (input.limit !== undefined && input.limit !== limit);
  if (changed) throw new ApiError('invalid_cursor');
  return { beforeId, limit };
}
