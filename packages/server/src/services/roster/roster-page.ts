import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { openCursor, sealCursor } from '../../credentials/cursor.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { lastId } from '../../store/users/users.ts';

const defaultLimit = 50;

export interface RosterQuery<Status extends string> {
  status?: Status | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface RosterPlace<Status extends string> {
  beforeId: string;
  status: Status | null;
  limit: number;
}

/** Returns one page of a roster list, newest first. Parameters missing from a follow-up request come from the cursor. */
export async function readRosterPage<Status extends string, Item extends { id: string }>(
  { keyring }: Pick<Context, 'keyring'>,
  tenant: Tenant,
  list: 'roster-invitations' | 'roster-members',
  query: RosterQuery<Status>,
  read: (place: RosterPlace<Status>) => Promise<Item[]>,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const place = readPlace();
  const { status, limit } = place;
  const rows = await read({ ...place, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items, nextCursor: hasMore ? sealCursor(keyring, list, tenant, [last.id, status, limit]) : null };

  function readPlace(): RosterPlace<Status> {
    if (query.cursor === undefined)
      return { beforeId: lastId, status: query.status ?? null, limit: query.limit ?? defaultLimit };
    const [beforeId, status, limit] = openCursor(keyring, list, tenant, query.cursor) as [
      string,
      Status | null,
      number,
    ];
    const isChanged = (query.status ?? status) !== status || (query.limit ?? limit) !== limit;
    if (isChanged) throw new ApiError('invalid_cursor');
    return { beforeId, status, limit };
  }
}
