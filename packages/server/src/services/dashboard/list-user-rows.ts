import type { UserFilter } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { openCursor, sealCursor } from '../../credentials/cursor.ts';
import { parseId } from '../../ids.ts';
import {
  countUserRows,
  findUserRow,
  firstPlace,
  listNewestUsers,
  listUsersByReference,
  type UserRow,
} from '../../store/dashboard/users.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { lastId } from '../../store/users/users.ts';

const defaultLimit = 50;

interface ListInput {
  search?: string | undefined;
  filter?: UserFilter | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

/**
 * Returns the users of a tenant for the dashboard: newest first, or by reference if a search or a filter applies. A search is a complete id
 * or the beginning of a reference.
 */
export async function listUserRows(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  input: ListInput,
): Promise<{
  users: UserRow[];
  nextCursor: string | null;
  counts: Awaited<ReturnType<typeof countUserRows>>;
}> {
  const [page, counts] = await Promise.all([readPage(ctx, tenant, input), countUserRows(ctx.db, tenant)]);
  return { ...page, counts };
}

async function readPage(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  { search, filter, cursor, limit = defaultLimit }: ListInput,
): Promise<{ users: UserRow[]; nextCursor: string | null }> {
  const userId = search === undefined ? null : parseId('user', search.trim());
  if (userId !== null) {
    const user = await findUserRow(ctx.db, tenant, userId);
    return { users: user ? [user] : [], nextCursor: null };
  }
  // A cursor is valid only for the list it came from.
  const list = `dashboard-users/${filter ?? ''}/${search ?? ''}`;
  const place = cursor === undefined ? null : openCursor(ctx.keyring, list, tenant, cursor);
  const [reference, id] = (place ?? []) as [string?, string?];
  const isNarrowed = search !== undefined || filter !== undefined;
  const rows = isNarrowed
    ? await listUsersByReference(ctx.db, tenant, {
        filter: filter ?? 'any',
        start: search ?? '',
        after: reference === undefined || id === undefined ? firstPlace : { reference, id },
        limit: limit + 1,
      })
    : await listNewestUsers(ctx.db, tenant, id ?? lastId, limit + 1);
  const users = rows.slice(0, limit);
  const last = users.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  const nextCursor = hasMore ? sealCursor(ctx.keyring, list, tenant, [last.referenceId, last.id]) : null;
  return { users, nextCursor };
}
