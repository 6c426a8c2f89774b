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
import { tenantOf } from './environment.ts';
import { requireOwn } from './team.ts';

const defaultLimit = 100;

/** Routes for the event feed, newest first, and for single events by id. */
export function registerEventRowRoutes(app: App, ctx: Context): void {
  app.get('/events', { schema: operations.listEventRows, config: { role: 'viewer' } }, async (request) => {
    const { environment, before = null, limit = defaultLimit, ...filter } = request.query;
    const tenant = tenantOf(request, environment);
    const { types, userId } = readFilter(filter);
    const { events, head, older } = await listNewestEvents(ctx, tenant, { before, limit, types, userId });
    return {
      data: events.map((event) => toRow(tenant, event)),
      cursor: sealEventsCursor(ctx, tenant, head),
      older: older === null ? null : sealEventsCursor(ctx, tenant, older),
    };
  });

  app.get('/events/:id', { schema: operations.getEventRow, config: { role: 'viewer' } }, async (request) => {
    const tenant = tenantOf(request, request.query.environment);
    const event = await getEvent(ctx, tenant, requireOwn('evt', request.params.id));
    request.readUser = event.userId;
    return toRow(tenant, event);
  });

  function toRow(tenant: Tenant, event: FeedEvent): EventRowWire {
    return { event: toEventWire(event), cursor: sealEventsCursor(ctx, tenant, event.position) };
  }
}
