import { eventRowOperations as operations, type EventRowWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { toEventWire } from '../../services/events/event-wire.ts';
import { sealEventsCursor } from '../../services/events/events-cursor.ts';
import { getEvent } from '../../services/dashboard/get-event.ts';
import { listNewestEvents } from '../../services/dashboard/list-newest-events.ts';
import type { FeedEvent } from '../../store/events/feed.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { App } from '../frame/app-type.ts';
import { readFilter } from '../routes/events/events.ts';
import { actingIn } from './environment.ts';
import { requireOwn } from './team.ts';

const defaultLimit = 100;

/** Routes for the event feed, newest first, and for single events by id. */
export function registerEventRowRoutes(app: App, ctx: Context): void {
  app.get('/events', { schema: operations.listEventRows, config: { role: 'viewer' } }, async (request) => {
    const { environment, before = null, limit = defaultLimit, ...filter } = request.query;
    const acting = actingIn(request, environment);
    const { types, userId } = readFilter(filter);
    const { events, head, older } = await listNewestEvents(ctx, acting, { before, limit, types, userId });
    return {
      data: events.map((event) => toRow(acting, event)),
      cursor: sealEventsCursor(ctx, acting, head),
      older: older === null ? null : sealEventsCursor(ctx, acting, older),
    };
  });

  app.get('/events/:id', { schema: operations.getEventRow, config: { role: 'viewer' } }, async (request) => {
    const acting = actingIn(request, request.query.environment);
    return toRow(acting, await getEvent(ctx, acting, requireOwn('evt', request.params.id)));
  });

  function toRow(tenant: Tenant, event: FeedEvent): EventRowWire {
    return { event: toEventWire(event), cursor: sealEventsCursor(ctx, tenant, event.position) };
  }
}
