import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { openCursor, sealCursor } from '../../credentials/cursor.ts';
import { readFeed, type FeedEvent } from '../../store/feed.ts';
import type { Tenant } from '../../store/tenant.ts';

const list = 'events';
/** Places that one request looks at when it asks for some events only. */
const widestWindow = 10_000;

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
  { cursor, limit, types, userId }: EventsQuery,
): Promise<{ events: FeedEvent[]; cursor: string; hasMore: boolean }> {
  const asked = cursor === null ? null : openEventsCursor(ctx, tenant, cursor);
  const isFiltered = types !== null || userId !== null;
  const window = isFiltered ? widestWindow : limit;
  const { head, first, events } = await readFeed(ctx.db, tenant, {
    after: asked,
    window,
    limit,
    types,
    userId,
  });
  const after = asked ?? first - 1;
  if (after < first - 1) throw expired();
  // Without enough of them, everything in the window was looked at.
  const isFull = events.length === limit;
  const reached = isFull ? events.at(-1)!.position : Math.max(after, Math.min(head, after + window));
  return { events, cursor: sealEventsCursor(ctx, tenant, reached), hasMore: reached < head };
}

function sealEventsCursor(ctx: Pick<Context, 'keyring'>, tenant: Tenant, position: number): string {
  return sealCursor(ctx.keyring, list, tenant, [position]);
}

function openEventsCursor(ctx: Pick<Context, 'keyring'>, tenant: Tenant, cursor: string): number {
  return openCursor(ctx.keyring, list, tenant, cursor)[0] as number;
}

function expired(): ApiError {
  return new ApiError('invalid_cursor', {
    message:
      'The cursor is older than the events that are kept: some after it are gone. Leave it out to start with the first that is kept, and read what you need anew.',
    details: { reason: 'expired' },
  });
}
