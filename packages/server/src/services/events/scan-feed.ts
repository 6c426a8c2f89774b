import { ApiError } from '@tributary/contract';
import type { Core } from '../../core.ts';
import { readFeed, type FeedEvent, type FeedQuery } from '../../store/events/feed.ts';
import type { Tenant } from '../../store/database/tenant.ts';

/** Number of positions that one filtered read scans. */
const widestWindow = 10_000;

/** A scanned part of a feed. */
export interface Stretch {
  events: FeedEvent[];
  /** The position up to which the result is complete. */
  reached: number;
  /** The position of the newest event. */
  head: number;
}

/** Returns the events after a position, or from the first retained event. Throws `invalid_cursor` if events after the position were pruned. */
export async function scanFeed(
  ctx: Pick<Core, 'db'>,
  tenant: Tenant,
  { after: requestedAfter, limit, types, userId }: Omit<FeedQuery, 'window'>,
): Promise<Stretch> {
  const isFiltered = types !== null || userId !== null;
  const window = isFiltered ? widestWindow : limit;
  const { head, first, events } = await readFeed(ctx.db, tenant, {
    after: requestedAfter,
    window,
    limit,
    types,
    userId,
  });
  const after = requestedAfter ?? first - 1;
  if (after < first - 1) throw expired();
  // A page that is not full means the whole window was scanned.
  const isFull = limit > 0 && events.length === limit;
  const reached = isFull ? events.at(-1)!.position : Math.max(after, Math.min(head, after + window));
  return { events, reached, head };
}

function expired(): ApiError {
  return new ApiError('invalid_cursor', {
    message:
      'The cursor is older than the retained events, and some events after it are gone. Omit the cursor to start with the first retained event, ' +
      'and read the data you need again.',
    details: { reason: 'expired' },
  });
}
