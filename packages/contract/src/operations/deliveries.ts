import { Type } from 'typebox';
import {
  DeliveryDetailEnvelope,
  DeliveryEnvelope,
  DeliveryList,
  deliveryStatuses,
  exampleDelivery,
  exampleDeliveryDetail,
  RecoverWebhook,
  RecoveryEnvelope,
  TestWebhook,
} from '../resources/delivery.ts';
import { exampleEvent } from '../resources/event.ts';
import { jsonResponse, authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { RefTo, Words } from '../openapi/schema.ts';
import { cursorParameter } from './read-parameters.ts';
import { NoQuery, ofOneWebhook, WebhookPath } from './webhook-parameters.ts';

const tags = ['Webhooks'];

const DeliveryPath = Type.Object({
  ...WebhookPath.properties,
  event_id: Type.String({ description: 'Event identifier.', examples: [exampleEvent.event_id] }),
});

export const listDeliveries = {
  operationId: 'listDeliveries',
  summary: "List a webhook's deliveries",
  description:
    'Lists deliveries, newest event first. With `status`, a page can contain fewer deliveries than requested, or none, while more exist: ' +
    'continue until `next_cursor` is null. Deliveries that ended are retained for 30 days, unless the operator configured another period.',
  tags,
  params: WebhookPath,
  querystring: Type.Object(
    {
      status: Type.Optional(Words(deliveryStatuses, { description: 'Only deliveries with this status.' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Deliveries per page, 1 to 100. Default 50.' }),
      ),
      cursor: cursorParameter(
        'The `next_cursor` of the previous response. Send the same `status` and `limit`, or neither.',
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: jsonResponse('The deliveries.', RefTo(DeliveryList), { data: [exampleDelivery], next_cursor: null }),
    ...errors('invalid_request', 'invalid_cursor', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;

export const getDelivery = {
  operationId: 'getDelivery',
  summary: 'Get a delivery',
  description:
    'Returns the delivery with the event that it sends and the beginning of each retained response.',
  tags,
  params: DeliveryPath,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The delivery.', RefTo(DeliveryDetailEnvelope), { data: exampleDeliveryDetail }),
    ...errors(...ofOneWebhook),
  },
} satisfies Operation;

export const resendDelivery = {
  operationId: 'resendDelivery',
  summary: 'Resend a delivery',
  description:
    'Makes the delivery pending again, with a full set of attempts. A delivery that waits for its next attempt is attempted now. A merged ' +
    'delivery cannot be resent. Resend the delivery in `details.merged_into` instead.',
  tags,
  params: DeliveryPath,
  querystring: NoQuery,
  response: {
    202: jsonResponse('The delivery is sent within moments.', RefTo(DeliveryEnvelope), {
      data: exampleDelivery,
    }),
    ...errors(...ofOneWebhook, 'webhook_not_active', 'delivery_merged', 'payload_too_large'),
  },
} satisfies Operation;

export const testWebhook = {
  operationId: 'testWebhook',
  summary: 'Send a test event',
  description:
    'Sends a sample event, signed and retried like a real one. Its `data.test` is true, and it does not appear in the feed.',
  tags,
  params: WebhookPath,
  body: RefTo(TestWebhook),
  bodyExamples: { any: {}, score: { event_type: 'score.updated' } },
  response: {
    202: jsonResponse('The test event is sent within moments.', RefTo(DeliveryEnvelope), {
      data: {
        ...exampleDelivery,
        user_id: null,
        test: true,
        attempt_count: 0,
        last_attempt: null,
      },
    }),
    ...errors(...ofOneWebhook, 'webhook_not_active', 'payload_too_large'),
  },
} satisfies Operation;

export const recoverWebhook = {
  operationId: 'recoverWebhook',
  summary: 'Recover missed events',
  description:
    'Queues the events since a time or after a cursor that the webhook subscribes to and has not acknowledged: events whose delivery failed, and ' +
    'events without a known delivery. Deliveries that succeeded, are pending or were merged stay unchanged. Each call scans up to 10,000 events. ' +
    'Repeat it with the returned `cursor` while `has_more` is true. Deliveries are retained for 30 days, unless the operator configured another ' +
    'period. Events acknowledged before that are sent again, so deduplicate by `webhook-id`.',
  tags,
  params: WebhookPath,
  body: RefTo(RecoverWebhook),
  bodyExamples: {
    from_a_time: { since: '2026-03-01T00:00:00Z' },
    from_a_place: { cursor: 'Zk9Wc2VxdWVuY2VkLWN1cnNvcg' },
  },
  response: {
    202: jsonResponse('The events are sent within moments.', RefTo(RecoveryEnvelope), {
      data: { queued: 42, cursor: 'Zk9Wc2VxdWVuY2VkLWN1cnNvcg', has_more: false },
    }),
    ...errors(
      'invalid_request',
      'invalid_cursor',
      ...authenticatedErrors,
      'not_found',
      'webhook_not_active',
      'payload_too_large',
    ),
  },
} satisfies Operation;
