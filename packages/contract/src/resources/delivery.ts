import { Type, type Static } from 'typebox';
import { Event, exampleEvent } from './event.ts';
import { eventTypes } from '../names.ts';
import { Component, Nullable, RefTo, Timestamp, Words } from '../openapi/schema.ts';

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'merged'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const attemptFields = {
  at: Timestamp,
  status: Nullable(
    Type.Integer({ description: 'The HTTP status the endpoint returned. Null if it did not respond.' }),
  ),
  error: Nullable(
    Type.String({ description: 'Why there was no response, or why the response did not count.' }),
  ),
  milliseconds: Type.Integer({ description: 'Duration of the request.' }),
};

export const DeliveryAttempt = Component(
  'DeliveryAttempt',
  Type.Object(attemptFields, { description: 'One request to the endpoint.' }),
);

export const DeliveryAttemptDetail = Component(
  'DeliveryAttemptDetail',
  Type.Object(
    {
      ...attemptFields,
      answer: Nullable(Type.String({ description: 'The beginning of the response body.' })),
    },
    { description: 'One request to the endpoint, with its response.' },
  ),
);

const deliveryFields = {
  event_id: Type.String({ description: 'Event identifier. The `webhook-id` header has the same value.' }),
  event_type: Words(eventTypes),
  user_id: Nullable(Type.String({ description: 'The user of the event. Null for a test.' })),
  status: Words(deliveryStatuses, {
    description:
      '`failed`: every attempt failed. `merged`: a later event of the same user includes it, see `merged_into`.',
  }),
  held: Type.Boolean({ description: 'True if the delivery is pending but the webhook is not active.' }),
  test: Type.Boolean({ description: 'True for a sample event sent with `test`, which is not in the feed.' }),
  created_at: Timestamp,
  next_attempt_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  attempt_count: Type.Integer({ description: 'Number of retained attempts, at most 20.' }),
  last_attempt: Type.Unsafe<Static<typeof DeliveryAttempt> | null>({
    anyOf: [RefTo(DeliveryAttempt), { type: 'null' }],
    description: 'Null before the first attempt.',
  }),
  merged_into: Nullable(Type.String({ description: 'The event whose delivery includes this one.' })),
};

export const Delivery = Component(
  'Delivery',
  Type.Object(deliveryFields, { description: 'The delivery of one event to one webhook.' }),
);

export const DeliveryDetail = Component(
  'DeliveryDetail',
  Type.Object(
    {
      ...deliveryFields,
      attempts: Type.Array(RefTo(DeliveryAttemptDetail), { description: 'Oldest first.' }),
      event: Type.Unsafe<Static<typeof Event> | null>({
        anyOf: [RefTo(Event), { type: 'null' }],
        description: 'The event that is sent. Null if the feed no longer retains it.',
      }),
    },
    { description: 'A delivery with every retained attempt and the event that is sent.' },
  ),
);

export const DeliveryEnvelope = Component(
  'DeliveryEnvelope',
  Type.Object({ data: RefTo(Delivery) }, { description: 'A delivery in its envelope.' }),
);

export const DeliveryDetailEnvelope = Component(
  'DeliveryDetailEnvelope',
  Type.Object({ data: RefTo(DeliveryDetail) }, { description: 'A delivery with details, in its envelope.' }),
);

export const DeliveryList = Component(
  'DeliveryList',
  Type.Object(
    {
      data: Type.Array(RefTo(Delivery)),
      next_cursor: Nullable(
        Type.String({ description: 'Send it back as `cursor`. Null at the end of the list.' }),
      ),
    },
    { description: 'A page of deliveries, newest event first.' },
  ),
);

export const TestWebhook = Component(
  'TestWebhook',
  Type.Object(
    {
      event_type: Type.Optional(
        Words(eventTypes, {
          description: 'Type of the sample event. Default: the first type the webhook subscribes to.',
        }),
      ),
    },
    { description: 'The type of sample event to send.' },
  ),
);

export const RecoverWebhook = Component(
  'RecoverWebhook',
  Type.Object(
    {
      since: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Events that entered the feed at or after this time.',
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'Events after this cursor: a `cursor` of the feed, or of the previous response.',
        }),
      ),
    },
    { description: 'The starting point. Send exactly one of the two.' },
  ),
);

export const RecoveryEnvelope = Component(
  'RecoveryEnvelope',
  Type.Object(
    {
      data: Type.Object(
        {
          queued: Type.Integer({ minimum: 0, description: 'Number of deliveries that are pending now.' }),
          cursor: Type.String({ description: 'How far the feed was scanned.' }),
          has_more: Type.Boolean({ description: 'If true, call again with this cursor.' }),
        },
        { description: 'The result of scanning a part of the feed.' },
      ),
    },
    { description: 'The result of a recovery, in its envelope.' },
  ),
);

export type DeliveryWire = Static<typeof Delivery>;
export type DeliveryDetailWire = Static<typeof DeliveryDetail>;
export type AttemptWire = Static<typeof DeliveryAttemptDetail>;

const { answer: responseBody, ...exampleAttempt }: AttemptWire = {
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
  attempts: [{ ...exampleAttempt, answer: responseBody }],
  event: exampleEvent,
};
