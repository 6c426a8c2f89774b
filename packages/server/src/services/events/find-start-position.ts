import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { openEventsCursor } from './events-cursor.ts';
import { scanFeed } from './scan-feed.ts';

/** Returns where a stream starts: after a cursor, or at the current head of the feed without one. Rejects the same cursors as the feed. */
export async function findStartPosition(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  cursor: string | null,
): Promise<{ place: number; head: number }> {
  const after = cursor === null ? null : openEventsCursor(ctx, tenant, cursor);
  const { head } = await scanFeed(ctx, tenant, { after, limit: 0, types: null, userId: null });
  return { place: after ?? head, head };
}
