import type { Context } from '../../context.ts';
import type { FeedEvent } from '../../store/events/feed.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { openEventsCursor, sealEventsCursor } from './events-cursor.ts';
import { scanFeed } from './scan-feed.ts';

export interface EventsQuery {
  cursor: string | null;
  limit: number;
  types: readonly string[] | null;
  userId: string | null;
}

/**
 * Returns the events after a cursor, or from the first retained event, in order. The returned cursor marks the position up to which the client has
 * missed nothing, also if no event matched.
 */
export async function readEvents(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  { cursor, ...query }: EventsQuery,
): Promise<{ events: FeedEvent[]; cursor: string; hasMore: boolean }> {
  const after = cursor === null ? null : openEventsCursor(ctx, tenant, cursor);
  const { events, reached, head } = await scanFeed(ctx, tenant, { after, ...query });
  return { events, cursor: sealEventsCursor(ctx, tenant, reached), hasMore: reached < head };
}
