import { Type, type Static } from 'typebox';
import { Event, exampleEvent } from './event.ts';
import { eventTypes } from './names.ts';
import { Component, Nullable, RefTo, Timestamp, Words } from './schema.ts';

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'merged'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const attemptFields = {
  at: Timestamp,
  status: Nullable(Type.Integer({ description: 'What the endpoint answered; null when it did not' })),
  error: Nullable(Type.String({ description: 'Why there was no answer, or why it did not count' })),
  milliseconds: Type.Integer({ description: 'How long it took' }),
};

export const DeliveryAttempt = Component(
  'DeliveryAttempt',
  Type.Object(attemptFields, { description: 'One request to the endpoint' }),
);

export const AnsweredAttempt = Component(
  'AnsweredAttempt',
  Type.Object(
    { ...attemptFields, answer: Nullable(Type.String({ description: 'The beginning of what came back' })) },
    { description: 'One request to the endpoint, with what it answered' },
  ),
);

const deliveryFields = {
  event_id: Type.String({ description: 'Which event; the header `webhook-id` carries the same' }),
  event_type: Words(eventTypes),
  user_id: Nullable(Type.String({ description: 'Whose event; null for a test' })),
  status: Words(deliveryStatuses, {
    description:
      '`failed`: every attempt did; `merged`: a later event of the same user told it too, `merged_into`',
  }),
  held: Type.Boolean({ description: 'Pending, but the webhook is not active' }),
  test: Type.Boolean({ description: 'Made up by a call to `test`; not in the feed' }),
  created_at: Timestamp,
  next_attempt_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  attempt_count: Type.Integer({ description: 'Attempts that are remembered, at most 20' }),
  last_attempt: Type.Unsafe<Static<typeof DeliveryAttempt> | null>({
    anyOf: [RefTo(DeliveryAttempt), { type: 'null' }],
    description: 'Null before the first',
  }),
  merged_into: Nullable(Type.String({ description: 'The event whose delivery tells this one' })),
};

export const Delivery = Component(
  'Delivery',
  Type.Object(deliveryFields, { description: 'What became of one event for one webhook' }),
);

export const DeliveryDetail = Component(
  'DeliveryDetail',
  Type.Object(
    {
      ...deliveryFields,
      attempts: Type.Array(RefTo(AnsweredAttempt), { description: 'Oldest first' }),
      event: Type.Unsafe<Static<typeof Event> | null>({
        anyOf: [RefTo(Event), { type: 'null' }],
        description: 'What is sent; null once the feed does not keep the event any more',
      }),
    },
    { description: 'A delivery with every attempt that is remembered and what is sent' },
  ),
);

export const DeliveryEnvelope = Component(
  'DeliveryEnvelope',
  Type.Object({ data: RefTo(Delivery) }, { description: 'A delivery in its envelope' }),
);

export const DeliveryDetailEnvelope = Component(
  'DeliveryDetailEnvelope',
  Type.Object({ data: RefTo(DeliveryDetail) }, { description: 'A delivery in detail, in its envelope' }),
);

export const DeliveryList = Component(
  'DeliveryList',
  Type.Object(
    {
      data: Type.Array(RefTo(Delivery)),
      next_cursor: Nullable(Type.String({ description: 'Send it back as `cursor`; null ends the list' })),
    },
    { description: 'A stretch of the deliveries, newest event first' },
  ),
);

export const TestWebhook = Component(
  'TestWebhook',
  Type.Object(
    {
      event_type: Type.Optional(
        Words(eventTypes, { description: 'What to make up; else the first that the webhook is told of' }),
      ),
    },
    { description: 'What kind of event to make up' },
  ),
);

export const RecoverWebhook = Component(
  'RecoverWebhook',
  Type.Object(
    {
      since: Type.Optional(
        Type.String({ format: 'date-time', description: 'Events that reached the feed from then on' }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'Events after this place: the `cursor` of the feed, or of the answer before',
        }),
      ),
    },
    { description: 'From where on; exactly one of the two' },
  ),
);

export const RecoveryEnvelope = Component(
  'RecoveryEnvelope',
  Type.Object(
    {
      data: Type.Object(
        {
          queued: Type.Integer({ minimum: 0, description: 'Deliveries that are pending now' }),
          cursor: Type.String({ description: 'How far was looked' }),
          has_more: Type.Boolean({ description: 'True: call again with this cursor' }),
        },
        { description: 'What a stretch of the feed held' },
      ),
    },
    { description: 'What a recovery queued, in its envelope' },
  ),
);

export type DeliveryWire = Static<typeof Delivery>;
export type DeliveryDetailWire = Static<typeof DeliveryDetail>;
export type AttemptWire = Static<typeof AnsweredAttempt>;

const { answer, ...exampleAttempt }: AttemptWire = {
  at: '2026-03-02T07:14:33.004Z',
  status: 500,
  error: null,
  milliseconds: 812,
  answer: 'Internal Server Error',
};

export const exampleDelivery: DeliveryWire = {
  event_id: exampleEvent.event_id,
  event_type: exampleEvent.event_type,
  user_id: exampleEvent.user_id,
  status: 'pending',
  held: false,
  test: false,
  created_at: '2026-03-02T07:14:31.502Z',
  next_attempt_at: '2026-03-02T07:14:38.016Z',
  ended_at: null,
  attempt_count: 1,
  last_attempt: exampleAttempt,
  merged_into: null,
};

export const exampleDeliveryDetail: DeliveryDetailWire = {
  ...exampleDelivery,
  attempts: [{ ...exampleAttempt, answer }],
  event: exampleEvent,
};
