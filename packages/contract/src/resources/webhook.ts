import { Type, type Static } from 'typebox';
import { eventTypes } from '../names.ts';
import { Component, Nullable, RefTo, Timestamp, Words } from '../openapi/schema.ts';

/** Limits of webhook settings. */
export const webhookLimits = {
  /** Per environment. */
  webhooks: 100,
  urlCharacters: 2_048,
  events: 20,
  coalesceSeconds: 900,
  rateLimit: 1_000,
} as const;

const webhookStatuses = ['active', 'inactive', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** Why the service disabled a webhook. */
const disabledReasons = ['gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

const Subscription = Words([...eventTypes, '*'], {
  description: 'An event type, or `*` for all types, including future ones.',
});
export type Subscription = Static<typeof Subscription>;

const webhookFields = {
  id: Type.String({ description: 'Webhook identifier.' }),
  url: Type.String({ description: 'The URL events are sent to, normalized.' }),
  events: Type.Array(Subscription, { description: 'Event types it subscribes to. `["*"]` for all.' }),
  status: Words(webhookStatuses, {
    description: '`inactive`: you paused it. `disabled`: the service disabled it, see `disabled_reason`.',
  }),
  disabled_reason: Nullable(
    Words(disabledReasons, {
      description: '`gone`: the endpoint returned 410. `failing`: every delivery failed for five days.',
    }),
  ),
  coalesce_seconds: Type.Integer({
    description:
      "Batch window. Changes to one user's data within this number of seconds are sent as one `data.updated`.",
  }),
  rate_limit: Nullable(Type.Integer({ description: 'Maximum deliveries per second. Null for no limit.' })),
  created_at: Timestamp,
};

export const Webhook = Component(
  'Webhook',
  Type.Object(webhookFields, { description: 'An endpoint that receives events.' }),
);

export const ListedWebhook = Component(
  'ListedWebhook',
  Type.Object(
    { ...webhookFields, last_delivery_at: Nullable(Timestamp) },
    { description: 'A webhook with the time of its last attempt, successful or not.' },
  ),
);

const secret = Type.String({
  description:
    'Signs every delivery (Standard Webhooks). Returned only in this response: store it with your other secrets.',
});

export const CreatedWebhook = Component(
  'CreatedWebhook',
  Type.Object({ ...webhookFields, secret }, { description: 'A new webhook with its secret.' }),
);

export const RotatedSecret = Component(
  'RotatedSecret',
  Type.Object(
    {
      id: Type.String({ description: 'Webhook identifier.' }),
      secret,
      previous_secret_valid_until: Timestamp,
    },
    {
      description:
        'A new secret. Until `previous_secret_valid_until`, deliveries are also signed with the previous one.',
    },
  ),
);

const changeableFields = {
  url: Type.String({
    minLength: 1,
    maxLength: webhookLimits.urlCharacters,
    description: '`https://`, on a host on the public internet.',
  }),
  events: Type.Array(Subscription, {
    minItems: 1,
    maxItems: webhookLimits.events,
    description: 'Event types to subscribe to. `["*"]` for all. Duplicates are ignored.',
  }),
  status: Words(['active', 'inactive'], {
    description: '`inactive` holds pending deliveries and creates no new ones.',
  }),
  coalesce_seconds: Type.Integer({
    minimum: 0,
    maximum: webhookLimits.coalesceSeconds,
    description:
      "Batch window. Changes to one user's data within this number of seconds are sent as one `data.updated`.",
  }),
  rate_limit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: webhookLimits.rateLimit,
      description: 'Maximum deliveries per second. Null for no limit.',
    }),
  ),
};

export const CreateWebhook = Component(
  'CreateWebhook',
  Type.Object(
    {
      url: changeableFields.url,
      events: changeableFields.events,
      status: Type.Optional(changeableFields.status),
      coalesce_seconds: Type.Optional(changeableFields.coalesce_seconds),
      rate_limit: Type.Optional(changeableFields.rate_limit),
    },
    { description: 'By default, the webhook is active immediately and has a batch window of one second.' },
  ),
);

export const UpdateWebhook = Component(
  'UpdateWebhook',
  Type.Object(
    {
      ...Type.Partial(Type.Object(changeableFields)).properties,
      active: Type.Optional(
        Type.Boolean({ description: '`true` for `status: active`, `false` for `status: inactive`.' }),
      ),
    },
    { description: 'Only the supplied fields change. At least one is required.' },
  ),
);

export const WebhookList = Component(
  'WebhookList',
  Type.Object({ data: Type.Array(RefTo(ListedWebhook)) }, { description: 'All webhooks, oldest first.' }),
);

export const WebhookEnvelope = Component(
  'WebhookEnvelope',
  Type.Object({ data: RefTo(Webhook) }, { description: 'A webhook in its envelope.' }),
);

export const CreatedWebhookEnvelope = Component(
  'CreatedWebhookEnvelope',
  Type.Object({ data: RefTo(CreatedWebhook) }, { description: 'A new webhook in its envelope.' }),
);

export const RotatedSecretEnvelope = Component(
  'RotatedSecretEnvelope',
  Type.Object({ data: RefTo(RotatedSecret) }, { description: 'A new secret in its envelope.' }),
);

export type WebhookWire = Static<typeof Webhook>;
export type ListedWebhookWire = Static<typeof ListedWebhook>;

export const exampleWebhook: WebhookWire = {
  id: 'wh_01jcqz8k2he7zrq5m9d3v6x0bt',
  url: 'https://example.com/hooks/tributary',
  events: ['data.updated', 'score.updated'],
  status: 'active',
  disabled_reason: null,
  coalesce_seconds: 1,
  rate_limit: null,
  created_at: '2026-03-01T10:00:00.000Z',
};

export const exampleSecret = 'whsec_<base64 of 32 bytes>';
