import { Type, type Static } from 'typebox';
import { Nullable, Timestamp } from '../openapi/schema.ts';
import { Count, InEnvironment } from './environment.ts';
import { ProviderSummary } from './overview.ts';

/** A setting that a provider requires in addition to its ID and secret. Responses never include its value. */
const ProviderSetting = Type.Object({
  name: Type.String(),
  about: Type.String(),
  is_set: Type.Boolean(),
});

const ProviderRow = Type.Object({
  ...ProviderSummary.properties,
  push: Type.Boolean(),
  history_days: Nullable(Type.Integer()),
  /** Null for health stores on phones, which have no provider app to register. */
  app: Nullable(
    Type.Object({
      is_set: Type.Boolean(),
      is_readable: Type.Boolean({
        description: 'False if its secrets were encrypted with a key that is no longer available',
      }),
      client_id: Nullable(Type.String()),
      updated_at: Nullable(Timestamp),
      callback_url: Type.String(),
      push_url: Nullable(
        Type.String({ description: 'Contains a secret. Returned only to owners who may change the app' }),
      ),
      settings: Type.Array(ProviderSetting),
    }),
  ),
  by_state: Type.Object({
    pending: Type.Integer(),
    fresh: Type.Integer(),
    late: Type.Integer(),
    silent: Type.Integer(),
    ended: Type.Integer(),
    on_device: Type.Integer(),
  }),
  errors: Type.Array(Type.Object({ kind: Type.String(), count: Count })),
});
export type ProviderRowWire = Static<typeof ProviderRow>;

const ProviderRows = Type.Object({
  data: Type.Array(ProviderRow),
  may_change: Type.Boolean({
    description: 'Whether owners may change provider apps here. True only while there is one account',
  }),
});
export type ProviderRowsWire = Static<typeof ProviderRows>;

const OneProvider = Type.Object({ provider: Type.String({ maxLength: 50 }) });

export const providerOperations = {
  listProviderRows: { querystring: InEnvironment, response: { 200: ProviderRows } },
  setProviderApp: {
    params: OneProvider,
    body: Type.Object(
      {
        client_id: Type.String({ minLength: 1, maxLength: 1000, pattern: '^[^\\s\\p{Cc}]+$' }),
        client_secret: Type.String({ minLength: 1, maxLength: 10_000, pattern: '^[^\\p{Cc}]+$' }),
        settings: Type.Optional(
          Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 10_000, format: 'text' }), {
            maxProperties: 20,
          }),
        ),
        force: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
  },
  removeProviderApp: {
    params: OneProvider,
    querystring: Type.Object({ force: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
  },
};
