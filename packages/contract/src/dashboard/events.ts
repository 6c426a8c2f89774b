import { Type, type Static } from 'typebox';
import { Event } from '../resources/event.ts';
import { Nullable, RefTo } from '../openapi/schema.ts';
import { Environment, InEnvironment } from './environment.ts';

const EventRow = Type.Object({
  event: RefTo(Event),
  cursor: Type.String({
    description:
      'Cursor of the event, for the feed and the live stream. Reading from it returns later events',
  }),
});
export type EventRowWire = Static<typeof EventRow>;

const EventRows = Type.Object({
  data: Type.Array(EventRow, { description: 'Newest first' }),
  cursor: Type.String({ description: 'Cursor of the end of the feed. Follow from here to miss nothing' }),
  older: Nullable(
    Type.String({
      description:
        'Send it as `before` to continue. It can be set even when the page has fewer events than requested, or none, because a rare type is searched in sections',
    }),
  ),
});
export type EventRowsWire = Static<typeof EventRows>;

export const eventRowOperations = {
  listEventRows: {
    querystring: Type.Object(
      {
        environment: Environment,
        before: Type.Optional(Type.String({ maxLength: 500 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
        type: Type.Optional(Type.String({ maxLength: 500 })),
        user_id: Type.Optional(Type.String({ maxLength: 100 })),
      },
      { additionalProperties: false },
    ),
    response: { 200: EventRows },
  },
  getEventRow: {
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    querystring: InEnvironment,
    response: { 200: EventRow },
  },
};
