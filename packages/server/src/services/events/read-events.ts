import type { Context } from '../../context.ts';
import type { FeedEvent } from '../../store/feed.ts';
import type { Tenant } from '../../store/tenant.ts';
import { openEventsCursor, sealEventsCursor } from './events-cursor.ts';
import { readStretch } from './read-stretch.ts';

export interface EventsQuery {
  cursor: string | null;
  limit: number;
  types: readonly string[] | null;
  userId: string | null;
}

/**
 * The events after a cursor, or from the first that is kept, in their one order. The cursor of the answer is the place up to which the
 * reader has missed nothing, also when no event was found.
 */
export async function readEvents(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  { cursor, ...query }: EventsQuery,
): Promise<{ events: FeedEvent[]; cursor: string; hasMore: boolean }> {
  const after = cursor === null ? null : openEventsCursor(ctx, tenant, cursor);
  const { events, reached, head } = await readStretch(ctx, tenant, { after, ...query });
  return { events, cursor: sealEventsCursor(ctx, tenant, reached), hasMore: reached < head };
}
