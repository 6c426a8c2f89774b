import { answer, authenticatedErrors, errors, noContent, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';
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
} from '../webhook.ts';
import { NoQuery, ofOneWebhook, WebhookPath } from './webhook-parameters.ts';

const tags = ['Webhooks'];
export const listWebhooks = {
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'All webhooks of the environment of the key, oldest first.',
  tags,
  querystring: NoQuery,
  response: {
    200: answer('The webhooks', RefTo(WebhookList), {
      data: [{ ...exampleWebhook, last_delivery_at: '2026-03-02T07:14:31.760Z' }],
    }),
    ...errors('invalid_request', ...authenticatedErrors),
  },
} satisfies Operation;

export const createWebhook = {
  operationId: 'createWebhook',
  summary: 'Register a webhook',
  description:
    'Events are sent to the URL by POST from now on, signed with HMAC-SHA256 as Standard Webhooks says. The `secret` for checking the signature is ' +
    `shown in this answer alone. Not idempotent. An environment has at most ${webhookLimits.webhooks} webhooks.`,
  tags,
  body: RefTo(CreateWebhook),
  bodyExamples: {
    some: { url: exampleWebhook.url, events: exampleWebhook.events },
    everything: { url: exampleWebhook.url, events: ['*'], coalesce_seconds: 30, rate_limit: 50 },
  },
  response: {
    201: answer('The webhook with its secret', RefTo(CreatedWebhookEnvelope), {
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
    200: answer('The webhook', RefTo(WebhookEnvelope), { data: exampleWebhook }),
    ...errors(...ofOneWebhook),
  },
} satisfies Operation;

export const updateWebhook = {
  operationId: 'updateWebhook',
  summary: 'Update a webhook',
  description:
    'Only the given fields change. Made active again, it goes on with what was held; what happened meanwhile can be queued with `recover`.',
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
    200: answer('The webhook', RefTo(WebhookEnvelope), { data: exampleWebhook }),
    ...errors('invalid_request', 'invalid_url', ...authenticatedErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;

export const deleteWebhook = {
  operationId: 'deleteWebhook',
  summary: 'Remove a webhook',
  description: 'What is pending is never sent. Its secrets are gone at once, its deliveries soon after.',
  tags,
  params: WebhookPath,
  querystring: NoQuery,
  response: {
    204: noContent('Removed'),
    ...errors(...ofOneWebhook.filter((code) => code !== 'payment_required'), 'payload_too_large'),
  },
} satisfies Operation;

export const rotateWebhookSecret = {
  operationId: 'rotateWebhookSecret',
  summary: 'Make a new secret',
  description:
    'For 24 hours deliveries carry a signature of either secret, so that receivers can change over one by one. Rotating again within that time ' +
    'keeps the newest two.',
  tags,
  params: WebhookPath,
  querystring: NoQuery,
  response: {
    200: answer('The new secret, shown here alone', RefTo(RotatedSecretEnvelope), {
      data: {
        id: exampleWebhook.id,
        secret: exampleSecret,
        previous_secret_valid_until: '2026-03-03T07:14:31.120Z',
      },
    }),
    ...errors(...ofOneWebhook, 'payload_too_large'),
  },
} satisfies Operation;
