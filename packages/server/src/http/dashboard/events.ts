import { ApiError, eventRowOperations as operations, type EventRowWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { toEventWire } from '../../services/events/event-wire.ts';
import { sealEventsCursor } from '../../services/events/events-cursor.ts';
import { listNewestEvents } from '../../services/operators/list-newest-events.ts';
import { recordRead } from '../../services/operators/record-read.ts';
import { findEvent } from '../../store/dashboard/events.ts';
import type { FeedEvent } from '../../store/events/feed.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { App } from '../frame/app-type.ts';
import { readFilter } from '../routes/events/events.ts';
import { actingIn } from './environment.ts';
import { requireOwn } from './team.ts';

const defaultLimit = 100;

/** Routes for the event feed, newest first, and for single events by id. Reading events of one user is audited as a read of that user. */
export function registerEventRowRoutes(app: App, ctx: Context): void {
  app.get('/events', { schema: operations.listEventRows, config: { role: 'viewer' } }, async (request) => {
    const { environment, before = null, limit = defaultLimit, ...filter } = request.query;
    const acting = actingIn(request, environment);
    const { types, userId } = readFilter(filter);
    const { events, head, older } = await listNewestEvents(ctx, acting, { before, limit, types, userId });
    if (userId !== null) await recordRead(ctx, acting, formatId('user', userId), 'listEvents');
    return {
      data: events.map((event) => toRow(acting, event)),
      cursor: sealEventsCursor(ctx, acting, head),
      older: older === null ? null : sealEventsCursor(ctx, acting, older),
    };
  });

  app.get('/events/:id', { schema: operations.getEventRow, config: { role: 'viewer' } }, async (request) => {
    const acting = actingIn(request, request.query.environment);
    const event = await findEvent(ctx.db, acting, requireOwn('evt', request.params.id));
    if (!event) throw new ApiError('not_found');
    await recordRead(ctx, acting, formatId('user', event.userId), 'getEvent');
    return toRow(acting, event);
  });

  function toRow(tenant: Tenant, event: FeedEvent): EventRowWire {
    return { event: toEventWire(event), cursor: sealEventsCursor(ctx, tenant, event.position) };
  }
}
