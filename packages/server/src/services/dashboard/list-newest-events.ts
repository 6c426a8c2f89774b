import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { listEventsBefore } from '../../store/dashboard/events.ts';
import { tenantHas } from '../../store/dashboard/find.ts';
import type { FeedEvent } from '../../store/events/feed.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { openEventsCursor } from '../events/events-cursor.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** Maximum number of events to scan for those of the requested types. */
const maxScannedEvents = 10_000;

export interface NewestEventsQuery {
  /** The cursor of an event. Events before it are returned. */
  before: string | null;
  limit: number;
  types: readonly string[] | null;
  userId: string | null;
}

/** Returns events newest first, the end of the feed, and the position for older events. Throws `not_found` for an unknown user. */
export async function listNewestEvents(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  { before, limit, types, userId }: NewestEventsQuery,
): Promise<{ events: FeedEvent[]; head: number; older: number | null }> {
  if (userId !== null && !(await tenantHas(ctx.db, tenant, 'users', userId)))
    throw userNotFound(formatId('user', userId));
  const page = await listEventsBefore(ctx.db, tenant, {
    before: before === null ? Number.MAX_SAFE_INTEGER : openEventsCursor(ctx, tenant, before),
    window: types === null ? limit + 1 : maxScannedEvents,
    limit: limit + 1,
    types,
    userId,
  });
  const events = page.events.slice(0, limit);
  const hasMore = page.events.length > limit;
  return { events, head: page.head, older: hasMore ? events.at(-1)!.position : page.scannedTo };
}
