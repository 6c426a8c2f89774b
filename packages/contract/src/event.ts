import { Type, type Static } from 'typebox';
import { eventTypes } from './names.ts';
import { CalendarDate, Component, Nullable, RefTo, Timestamp, Words } from './schema.ts';

/** What the stream calls a message that tells how far the reader has come, and is no event. */
export const positionEvent = 'feed.position';

const EventData = Type.Object(
  {
    change: Type.Optional(Words(['updated', 'deleted'], { description: 'Whether values came or went' })),
    first_date: Type.Optional(CalendarDate),
    last_date: Type.Optional(CalendarDate),
    backfill: Type.Optional(
      Type.Boolean({ description: 'True when all of it is older than three days: history that came late' }),
    ),
    provider: Type.Optional(Type.String({ description: 'Of which provider the device is' })),
    test: Type.Optional(Type.Boolean({ description: 'True for an event that was made up to try a webhook' })),
  },
  { description: 'What it is about, as far as that applies; never a measured value' },
);

export const Event = Component(
  'Event',
  Type.Object(
    {
      event_id: Type.String({ description: 'The same in feed, stream and webhook' }),
      event_type: Words(eventTypes),
      metrics: Type.Array(Type.String(), { description: 'Metrics or scores that have another value now' }),
      user_id: Type.String({ description: 'User identifier' }),
      device_id: Nullable(Type.String({ description: 'Device identifier, where one is meant' })),
      timestamp: Timestamp,
      data: EventData,
    },
    { description: 'Something that happened to the data of a user' },
  ),
);

export const EventFeed = Component(
  'EventFeed',
  Type.Object(
    {
      events: Type.Array(RefTo(Event)),
      cursor: Type.String({
        description: 'Keep it and send it with the next call: nothing before it was missed',
      }),
      has_more: Type.Boolean({ description: 'Whether there are more already' }),
    },
    { description: 'A stretch of the feed, in its one order' },
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
