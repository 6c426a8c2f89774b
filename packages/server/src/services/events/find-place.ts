import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/tenant.ts';
import { openEventsCursor } from './events-cursor.ts';
import { readStretch } from './read-stretch.ts';

/** Where a stream begins: after a cursor, or without one at the head of the feed of this moment. Refuses the cursors that the feed refuses. */
export async function findPlace(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  cursor: string | null,
): Promise<{ place: number; head: number }> {
  const after = cursor === null ? null : openEventsCursor(ctx, tenant, cursor);
  const { head } = await readStretch(ctx, tenant, { after, limit: 0, types: null, userId: null });
  return { place: after ?? head, head };
}
