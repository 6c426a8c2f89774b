import { Type, type Static } from 'typebox';
import { Event } from '../event.ts';
import { Nullable, RefTo } from '../schema.ts';
import { Environment, InEnvironment } from './environment.ts';

const EventRow = Type.Object({
  event: RefTo(Event),
  cursor: Type.String({ description: 'Its place, as feed and stream know it: what comes after it follows' }),
});
export type EventRowWire = Static<typeof EventRow>;

const EventRows = Type.Object({
  data: Type.Array(EventRow, { description: 'Newest first' }),
  cursor: Type.String({ description: 'Where the feed ends: who follows from here on misses nothing' }),
  older: Nullable(
    Type.String({
      description:
        'Send it as `before` to go on; there may be one after fewer events than asked for, or none: a rare kind is looked for in stretches',
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
