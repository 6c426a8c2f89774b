import { Type, type Static } from 'typebox';
import { Nullable, Timestamp, Words } from '../openapi/schema.ts';
import { Count, InEnvironment } from './environment.ts';

/** Problems that need attention. */
const needKinds = [
  'webhook_disabled',
  'webhook_failing',
  'provider_refusing',
  'dead_letters',
  'devices_silent',
  'key_ending',
  'no_authenticator',
  'roster_not_configured',
] as const;

const Need = Type.Object({
  kind: Words(needKinds),
  subject: Nullable(
    Type.Object({
      id: Type.String({ description: 'ID of a webhook, provider or key' }),
      name: Type.String({
        description:
          'The URL of a webhook, the name of a provider, or the hint of a key, such as `sk_live_…k9x2`',
      }),
    }),
  ),
  since: Nullable(Timestamp),
  count: Nullable(Count),
  detail: Type.Object({
    /** The endpoint's last response: its status, or the error if there was no response. */
    status: Type.Optional(Nullable(Type.Integer())),
    error: Type.Optional(Nullable(Type.String())),
    /** Why the service disabled the endpoint. */
    reason: Type.Optional(Nullable(Type.String())),
    /** Keys only. */
    ends_at: Type.Optional(Timestamp),
    days_left: Type.Optional(Type.Integer()),
    last_used_at: Type.Optional(Nullable(Timestamp)),
  }),
});
export type NeedWire = Static<typeof Need>;

const providerStates = ['available', 'needs_credentials', 'working', 'slow', 'refusing'] as const;

export const ProviderSummary = Type.Object({
  provider: Type.String(),
  name: Type.String(),
  kind: Words(['cloud', 'on_device']),
  state: Words(providerStates),
  connections: Type.Integer(),
  newest_data_at: Nullable(Timestamp),
  limit_used: Nullable(Type.Number({ description: '0 to 1; null if the provider has no rate limit' })),
  affected: Type.Integer({ description: 'Connections that return no data' }),
});
export type ProviderSummaryWire = Static<typeof ProviderSummary>;

const hours = <T extends Type.TProperties>(fields: T) =>
  Type.Array(Type.Object({ at: Timestamp, ...fields }), {
    description: 'The last 24 hours, oldest first; the last one is in progress',
  });

const Overview = Type.Object({
  needs: Type.Array(Need, { description: 'Most severe first' }),
  tiles: Type.Object({
    accepted: Type.Object({
      total: Type.Integer(),
      hours: hours({ values: Type.Integer(), batches: Type.Integer() }),
    }),
    fresh: Type.Object({
      share: Nullable(Type.Number({ description: '0 to 1; null without connections' })),
      fresh: Type.Integer(),
      late: Type.Integer(),
      silent: Type.Integer(),
      ended: Type.Integer({ description: 'Connections whose consent has ended' }),
    }),
    delivered: Type.Object({
      total: Type.Integer(),
      approximate: Type.Boolean({ description: 'Estimated from a sample, because there are many' }),
      hours: hours({ first: Type.Integer(), later: Type.Integer(), failed: Type.Integer() }),
    }),
    events: Type.Object({
      total: Type.Integer(),
      approximate: Type.Boolean({ description: 'Estimated from a sample, because there are many' }),
      hours: hours({ count: Type.Integer(), types: Type.Record(Type.String(), Type.Integer()) }),
    }),
  }),
  providers: Type.Array(ProviderSummary),
  first_run: Type.Object({
    has_key: Type.Boolean(),
    has_key_used: Type.Boolean(),
    has_user: Type.Boolean(),
    has_data: Type.Boolean(),
  }),
});
export type OverviewWire = Static<typeof Overview>;

export const overviewOperations = {
  getOverview: { querystring: InEnvironment, response: { 200: Overview } },
};
