import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { readFeed, type FeedEvent, type FeedQuery } from '../../store/feed.ts';
import type { Tenant } from '../../store/tenant.ts';

/** Places that one read looks at when it asks for some events only. */
const widestWindow = 10_000;

/** A part of a feed that was looked at. */
export interface Stretch {
  events: FeedEvent[];
  /** The place up to which nothing that was asked for is missing. */
  reached: number;
  /** The last place that was given. */
  head: number;
}

/** The events after a place, or from the first that is kept; throws `invalid_cursor` when some after it are gone. */
export async function readStretch(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  { after: asked, limit, types, userId }: Omit<FeedQuery, 'window'>,
): Promise<Stretch> {
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
  const isFull = limit > 0 && events.length === limit;
  const reached = isFull ? events.at(-1)!.position : Math.max(after, Math.min(head, after + window));
  return { events, reached, head };
}

function expired(): ApiError {
  return new ApiError('invalid_cursor', {
    message:
      'The cursor is older than the events that are kept: some after it are gone. Leave it out to start with the first that is kept, and read what you need anew.',
    details: { reason: 'expired' },
  });
}
