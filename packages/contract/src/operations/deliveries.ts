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
} from '../delivery.ts';
import { exampleEvent } from '../event.ts';
import { answer, authenticatedErrors, errors, type Operation } from '../operation.ts';
import { RefTo, Words } from '../schema.ts';
import { NoQuery, ofOneWebhook, WebhookPath } from './webhook-parameters.ts';

const tags = ['Webhooks'];

const DeliveryPath = Type.Object({
  ...WebhookPath.properties,
  event_id: Type.String({ description: 'Event identifier', examples: [exampleEvent.event_id] }),
});

export const listDeliveries = {
  operationId: 'listDeliveries',
  summary: "List a webhook's deliveries",
  description:
    'Newest event first. With `status` an answer may hold fewer than asked for, or none, while there are more: go on until `next_cursor` is null. ' +
    'Those that ended are kept for 30 days, unless the operator chose otherwise.',
  tags,
  params: WebhookPath,
  querystring: Type.Object(
    {
      status: Type.Optional(Words(deliveryStatuses, { description: 'Only these' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Deliveries an answer, at most; default 50' }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'The `next_cursor` of the answer before, with the same `status` and `limit` or none',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: answer('The deliveries', RefTo(DeliveryList), { data: [exampleDelivery], next_cursor: null }),
    ...errors('invalid_request', 'invalid_cursor', ...authenticatedErrors, 'not_found', 'invalid_filter'),
  },
} satisfies Operation;

export const getDelivery = {
  operationId: 'getDelivery',
  summary: 'Get a delivery',
  description: 'With the beginning of every answer that is remembered, and with what is sent.',
  tags,
  params: DeliveryPath,
  querystring: NoQuery,
  response: {
    200: answer('The delivery', RefTo(DeliveryDetailEnvelope), { data: exampleDeliveryDetail }),
    ...errors(...ofOneWebhook),
  },
} satisfies Operation;

export const resendDelivery = {
  operationId: 'resendDelivery',
  summary: 'Send a delivery again',
  description:
    'Makes it pending anew, with all attempts before it; one that waits for its next attempt is attempted now. One that was merged is sent with ' +
    'the delivery that tells it: `details.merged_into`.',
  tags,
  params: DeliveryPath,
  querystring: NoQuery,
  response: {
    202: answer('It is sent within moments', RefTo(DeliveryEnvelope), { data: exampleDelivery }),
    ...errors(...ofOneWebhook, 'webhook_not_active', 'delivery_merged', 'payload_too_large'),
  },
} satisfies Operation;

export const testWebhook = {
  operationId: 'testWebhook',
  summary: 'Send a made-up event',
  description: 'Signed and retried as a real one; `data.test` is true, and the feed does not show it.',
  tags,
  params: WebhookPath,
  body: RefTo(TestWebhook),
  bodyExamples: { any: {}, score: { event_type: 'score.updated' } },
  response: {
    202: answer('It is sent within moments', RefTo(DeliveryEnvelope), {
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
  summary: 'Queue what was missed',
  description:
    'Queues the events of the feed from a time or after a cursor that the webhook wants and has not acknowledged: those that failed, and those ' +
    'for which no delivery is known. What succeeded, is pending or was merged is left alone. Each call looks at up to 10,000 events; repeat it ' +
    'with the `cursor` of the answer while `has_more` is true. Deliveries are known for 30 days, unless the operator chose otherwise: what was ' +
    'acknowledged before that is sent again, so recognize events by `webhook-id`.',
  tags,
  params: WebhookPath,
  body: RefTo(RecoverWebhook),
  bodyExamples: {
    from_a_time: { since: '2026-03-01T00:00:00Z' },
    from_a_place: { cursor: 'Zk9Wc2VxdWVuY2VkLWN1cnNvcg' },
  },
  response: {
    202: answer('They are sent within moments', RefTo(RecoveryEnvelope), {
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
