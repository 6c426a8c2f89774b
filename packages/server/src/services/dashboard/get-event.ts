import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { findEvent } from '../../store/dashboard/events.ts';
import type { FeedEvent } from '../../store/events/feed.ts';
import { recordRead } from './record-read.ts';

/** Returns an event, audited as a read of its user. Throws `not_found`. */
export async function getEvent(
  ctx: Pick<Context, 'db' | 'newId'>,
  acting: Acting,
  id: string,
): Promise<FeedEvent> {
  const event = await findEvent(ctx.db, acting, id);
  if (!event) throw new ApiError('not_found');
  await recordRead(ctx, acting, formatId('user', event.userId), 'getEvent');
  return event;
}
