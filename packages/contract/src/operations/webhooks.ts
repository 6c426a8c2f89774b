import {
  jsonResponse,
  authenticatedErrors,
  errors,
  evenSuspendedErrors,
  noContent,
  type Operation,
} from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import {
  CreatedWebhookEnvelope,
  CreateWebhook,
  exampleSecret,
  exampleWebhook,
  RotatedSecretEnvelope,
  UpdateWebhook,
  WebhookEnvelope,
  webhookLimits,
  WebhookList,
} from '../resources/webhook.ts';
import { NoQuery, ofOneWebhook, WebhookPath } from './webhook-parameters.ts';

const tags = ['Webhooks'];
export const listWebhooks = {
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: "Lists all webhooks in the key's environment, oldest first.",
  tags,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The webhooks.', RefTo(WebhookList), {
      data: [{ ...exampleWebhook, last_delivery_at: '2026-03-02T07:14:31.760Z' }],
    }),
    ...errors('invalid_request', ...authenticatedErrors),
  },
} satisfies Operation;

export const createWebhook = {
  operationId: 'createWebhook',
  summary: 'Register a webhook',
  description:
    'Sends events to the URL by POST from now on, signed with HMAC-SHA256 according to Standard Webhooks. The `secret` for verifying signatures ' +
    `is returned only in this response. Not idempotent. An environment can have at most ${webhookLimits.webhooks} webhooks.`,
  tags,
  body: RefTo(CreateWebhook),
  bodyExamples: {
    some: { url: exampleWebhook.url, events: exampleWebhook.events },
    everything: { url: exampleWebhook.url, events: ['*'], coalesce_seconds: 30, rate_limit: 50 },
  },
  response: {
    201: jsonResponse('The webhook with its secret.', RefTo(CreatedWebhookEnvelope), {
      data: { ...exampleWebhook, secret: exampleSecret },
    }),
    ...errors(
      'invalid_request',
      'invalid_url',
      ...authenticatedErrors,
      'webhook_limit_reached',
      'payload_too_large',
    ),
  },
} satisfies Operation;

export const getWebhook = {
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  tags,
  params: WebhookPath,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The webhook.', RefTo(WebhookEnvelope), { data: exampleWebhook }),
    ...errors(...ofOneWebhook),
  },
} satisfies Operation;

export const updateWebhook = {
  operationId: 'updateWebhook',
  summary: 'Update a webhook',
  description:
    'Changes only the supplied fields. A webhook that becomes active again resumes with the deliveries that were held. Queue the events that ' +
    'occurred meanwhile with `recover`.',
  tags,
  params: WebhookPath,
  body: RefTo(UpdateWebhook),
  bodyExamples: {
    move: { url: 'https://example.com/hooks/v2' },
    pause: { status: 'inactive' },
    go_on: { active: true },
    no_limit: { rate_limit: null },
  },
  response: {
    200: jsonResponse('The webhook.', RefTo(WebhookEnvelope), { data: exampleWebhook }),
    ...errors('invalid_request', 'invalid_url', ...authenticatedErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const deleteWebhook = {
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description:
    'Pending deliveries are never sent. The secrets are deleted immediately, the deliveries soon afterwards.',
  tags,
  params: WebhookPath,
  querystring: NoQuery,
  response: {
    204: noContent('Deleted.'),
    ...errors('invalid_request', ...evenSuspendedErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const rotateWebhookSecret = {
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate a webhook secret',
  description:
    'For 24 hours, deliveries carry a signature of each secret, so you can update receivers one by one. Rotating again within that time keeps the newest two secrets.',
  tags,
  params: WebhookPath,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The new secret. It is returned only in this response.', RefTo(RotatedSecretEnvelope), {
      data: {
        id: exampleWebhook.id,
        secret: exampleSecret,
        previous_secret_valid_until: '2026-03-03T07:14:31.120Z',
      },
    }),
    ...errors(...ofOneWebhook, 'payload_too_large'),
  },
} satisfies Operation;
