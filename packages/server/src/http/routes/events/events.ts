import { eventTypes, operations, type EventType } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import { parseId } from '../../../ids.ts';
import { toEventWire } from '../../../services/events/event-wire.ts';
import { readEvents } from '../../../services/events/read-events.ts';
import type { App } from '../../frame/app-type.ts';
import { auditRead, noteRead } from '../../access-records/record-reads.ts';
import { callerOf } from '../../frame/auth.ts';
import { invalid } from '../../parameters/date-range.ts';
import { EventStreams } from '../../frame/event-streams.ts';

const defaultLimit = 100;

export function registerEventRoutes(app: App, ctx: Context): void {
  app.get('/v1/events', { schema: operations.listEvents }, async (request, reply) => {
    const { cursor = null, limit = defaultLimit, ...filter } = request.query;
    const { events, ...place } = await readEvents(ctx, callerOf(request).tenant, {
      cursor,
      limit,
      ...readFilter(filter),
    });
    return reply.send({ events: events.map(toEventWire), cursor: place.cursor, has_more: place.hasMore });
  });

  const streams = new EventStreams(ctx);
  app.addHook('preClose', (done) => {
    streams.end();
    done();
  });
  app.get('/v1/events/stream', { schema: operations.streamEvents }, async (request, reply) => {
    const { cursor, ...filter } = request.query;
    // Reconnecting clients send the ID of their last message together with the original URL.
    const lastId = request.headers['last-event-id'];
    const query = { cursor: lastId || cursor || null, ...readFilter(filter) };
    // The hook for responses does not see a stream.
    await auditRead(ctx, request);
    await streams.open(request, reply, callerOf(request), query);
    noteRead(ctx, request, 'returned');
    return reply;
  });
}

/** The events that a query selects. */
export function readFilter({ type, user_id: user }: { type?: string; user_id?: string }) {
  return {
    types: type === undefined ? null : readEventTypes(type),
    userId: user === undefined ? null : readUserId(user),
  };
}

function readEventTypes(list: string): EventType[] {
  const words = list.split(',').map((word) => word.trim());
  const unknown = words.filter((word) => !(eventTypes as readonly string[]).includes(word));
  if (unknown.length > 0) throw invalid('type', `must be a comma-separated list of ${eventTypes.join(', ')}`);
  return words as EventType[];
}

function readUserId(id: string): string {
  const parsed = parseId('user', id);
  if (!parsed) throw invalid('user_id', 'must be a user id such as user_01jcqz4w5ve9prdk6r9f4vg1yx');
  return parsed;
}
