import { Type, type Static } from 'typebox';
import { Nullable } from '../openapi/schema.ts';

const OfEnvironments = Type.Object({ live: Type.Integer(), sandbox: Type.Integer() });

const AccountSettings = Type.Object({
  name: Type.String(),
  default_form: Type.Integer({ minimum: 1, maximum: 2 }),
  organization_name: Nullable(Type.String()),
  contact_email: Nullable(Type.String()),
  redirect_urls: Type.Array(Type.String()),
  sync_interval_seconds: Type.Integer(),
  require_authenticator: Type.Boolean(),
  plan: Type.Object({
    user_limit: Nullable(Type.Integer()),
    users: OfEnvironments,
    /** Of the current UTC day. */
    uploads_today: OfEnvironments,
    uploads_per_day: Nullable(Type.Integer()),
    values_today: OfEnvironments,
    values_per_day: Nullable(Type.Integer()),
    requests_per_second: Type.Integer(),
    request_burst: Type.Integer(),
    /** Per API server. */
    streams: Type.Integer(),
    suspended: Type.Boolean(),
  }),
  public_url: Type.String(),
  mail: Type.Object({ configured: Type.Boolean() }),
});
export type AccountSettingsWire = Static<typeof AccountSettings>;

const Text = Type.String({ maxLength: 400, format: 'text' });
const Urls = Type.Array(Type.String({ maxLength: 2000, format: 'text' }), { maxItems: 50 });

export const settingsOperations = {
  getSettings: { response: { 200: AccountSettings } },
  changeSettings: {
    body: Type.Object(
      {
        name: Type.Optional(Text),
        default_form: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
        organization_name: Type.Optional(Nullable(Text)),
        contact_email: Type.Optional(Nullable(Text)),
        sync_interval_seconds: Type.Optional(Type.Integer()),
        require_authenticator: Type.Optional(Type.Boolean()),
        add_redirect_urls: Type.Optional(Urls),
        remove_redirect_urls: Type.Optional(Urls),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    response: { 200: AccountSettings },
  },
};
