import { Type, type Static } from 'typebox';
import { eventTypes } from '../names.ts';
import { CalendarDate, Component, Nullable, RefTo, Timestamp, Words } from '../openapi/schema.ts';

/** Name of the live stream message that reports the reader's position. It is not an event. */
export const positionEvent = 'feed.position';

const EventData = Type.Object(
  {
    change: Type.Optional(
      Words(['updated', 'deleted'], { description: 'Whether values were added or removed.' }),
    ),
    first_date: Type.Optional(CalendarDate),
    last_date: Type.Optional(CalendarDate),
    backfill: Type.Optional(
      Type.Boolean({
        description: 'True if all of the data is older than three days: history that arrived late.',
      }),
    ),
    provider: Type.Optional(Type.String({ description: 'The provider of the device.' })),
    test: Type.Optional(Type.Boolean({ description: 'True for a sample event sent to test a webhook.' })),
  },
  { description: 'The subject of the event, where it applies. Never a measured value.' },
);

export const Event = Component(
  'Event',
  Type.Object(
    {
      event_id: Type.String({ description: 'The same in feed, stream and webhook.' }),
      event_type: Words(eventTypes),
      metrics: Type.Array(Type.String(), { description: 'Metrics or scores whose values changed.' }),
      user_id: Type.String({ description: 'User identifier.' }),
      device_id: Nullable(Type.String({ description: 'Device identifier, if the event concerns one.' })),
      timestamp: Timestamp,
      data: EventData,
    },
    { description: "A change to a user's data." },
  ),
);

export const EventFeed = Component(
  'EventFeed',
  Type.Object(
    {
      events: Type.Array(RefTo(Event)),
      cursor: Type.String({
        description: 'Store it and send it with the next request. Nothing before it was missed.',
      }),
      has_more: Type.Boolean({ description: 'Whether more events exist already.' }),
    },
    { description: 'A page of the feed, in its one order.' },
  ),
);

export type EventWire = Static<typeof Event>;

export const exampleEvent: EventWire = {
  event_id: 'evt_01jcqz7m3ye5xvv9b1s6k0n4pd',
  event_type: 'data.updated',
  metrics: ['steps', 'distance'],
  user_id: 'user_01jcqz4w5ve9prdk6r9f4vg1yx',
  device_id: 'dev_01jcqz6bqxe0mrv8c3k1n7d2ta',
  timestamp: '2026-03-02T07:14:31.120Z',
  data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-02', backfill: false },
};
