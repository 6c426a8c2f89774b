import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { listEventsBefore } from '../../store/dashboard/events.ts';
import { tenantHas } from '../../store/dashboard/find.ts';
import type { FeedEvent } from '../../store/events/feed.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { openEventsCursor } from '../events/events-cursor.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { recordRead } from './record-read.ts';

/** Maximum number of events to scan for those of the requested types. */
const maxScannedEvents = 10_000;

export interface NewestEventsQuery {
  /** The cursor of an event. Events before it are returned. */
  before: string | null;
  limit: number;
  types: readonly string[] | null;
  userId: string | null;
}

/**
 * Returns events newest first, the end of the feed, and the position for older events. Reading events of one user is audited as a read of that
 * user. Throws `not_found` for an unknown user.
 */
export async function listNewestEvents(
  ctx: Pick<Context, 'db' | 'keyring' | 'newId'>,
  acting: Acting,
  { before, limit, types, userId }: NewestEventsQuery,
): Promise<{ events: FeedEvent[]; head: number; older: number | null }> {
  if (userId !== null && !(await tenantHas(ctx.db, acting, 'users', userId)))
    throw userNotFound(formatId('user', userId));
  const page = await listEventsBefore(ctx.db, acting, {
    before: before === null ? Number.MAX_SAFE_INTEGER : openEventsCursor(ctx, acting, before),
    window: types === null ? limit + 1 : maxScannedEvents,
    limit: limit + 1,
    types,
    userId,
  });
  if (userId !== null) await recordRead(ctx, acting, formatId('user', userId), 'listEvents');
  const events = page.events.slice(0, limit);
  const hasMore = page.events.length > limit;
  return { events, head: page.head, older: hasMore ? events.at(-1)!.position : page.scannedTo };
}
