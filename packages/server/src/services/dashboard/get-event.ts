import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { findEvent } from '../../store/dashboard/events.ts';
import type { FeedEvent } from '../../store/events/feed.ts';

/** Returns an event. Throws `not_found`. */
export async function getEvent(ctx: Pick<Context, 'db'>, tenant: Tenant, id: string): Promise<FeedEvent> {
  const event = await findEvent(ctx.db, tenant, id);
  if (!event) throw new ApiError('not_found');
  return event;
}
