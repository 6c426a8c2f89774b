import { Type, type Static } from 'typebox';
import { Component, Nullable, RefTo, textRule, Timestamp, Words } from '../openapi/schema.ts';
import { scopes } from './token.ts';

const platforms = ['ios', 'android', 'react_native', 'web', 'other'] as const;

const text = { minLength: 1, maxLength: 255, format: 'text' } as const;

const SessionId = Type.String({ format: 'uuid', description: 'Session identifier.' });
const UserId = Type.String({ description: 'The user of the session.' });

export const CreateSdkSession = Component(
  'CreateSdkSession',
  Type.Object(
    {
      platform: Type.Optional(Words(platforms, { description: 'The platform the app runs on.' })),
      installation_id: Type.Optional(
        Type.String({
          ...text,
          description: `Identifies this installation of the app. If it already has a session, that session is returned. ${textRule}`,
        }),
      ),
      app_version: Type.Optional(
        Type.String({ ...text, description: `Stored with the session. ${textRule}` }),
      ),
      device_model: Type.Optional(
        Type.String({ ...text, description: `Stored with the session. ${textRule}` }),
      ),
      scopes: Type.Optional(
        Type.Array(Words(scopes), {
          minItems: 1,
          maxItems: scopes.length,
          uniqueItems: true,
          description:
            'Categories the session may upload. Default all except `reproductive_health`, which has to be named.',
        }),
      ),
    },
    { description: 'Information about the installation. Every field is optional.' },
  ),
);
export type CreateSdkSessionWire = Static<typeof CreateSdkSession>;

export const SdkConfig = Component(
  'SdkConfig',
  Type.Object(
    {
      sync_interval_seconds: Type.Integer({
        description: 'How often the SDK should upload. Set per account.',
      }),
      categories: Type.Array(Words(scopes), { description: 'Categories the session may upload.' }),
    },
    { description: 'The configuration of the SDK.' },
  ),
);

export const SdkBootstrap = Component(
  'SdkBootstrap',
  Type.Object(
    {
      session_id: SessionId,
      client_token: Type.String({ description: 'The app exchanges it once, within 15 minutes.' }),
      client_token_expires_at: Timestamp,
      user_id: UserId,
      api_url: Type.String({ description: 'The URL of this API.' }),
      config: RefTo(SdkConfig),
    },
    { description: 'What an app needs to start the SDK.' },
  ),
);
export type SdkBootstrapWire = Static<typeof SdkBootstrap>;

export const SdkSession = Component(
  'SdkSession',
  Type.Object(
    {
      session_id: SessionId,
      status: Words(['pending', 'active'], { description: '`pending` until its token is exchanged.' }),
      platform: Nullable(Words(platforms)),
      installation_id: Nullable(Type.String({ description: 'As supplied when the session was created.' })),
      created_at: Timestamp,
      last_seen_at: Nullable({
        ...Timestamp,
        description: 'When it last exchanged or refreshed its tokens.',
      }),
    },
    { description: 'The session of one installation.' },
  ),
);
export type SdkSessionWire = Static<typeof SdkSession>;

export const SdkSessionList = Component(
  'SdkSessionList',
  Type.Object(
    { data: Type.Array(RefTo(SdkSession)) },
    { description: 'Pending and active sessions of one user, newest first.' },
  ),
);

const token = { minLength: 1, maxLength: 4096 } as const;

export const ExchangeClientToken = Component(
  'ExchangeClientToken',
  Type.Object(
    {
      client_token: Type.String({ ...token, description: 'A client token or a mobile token.' }),
    },
    { description: 'A single-use token to exchange.' },
  ),
);

export const RefreshSdkCredentials = Component(
  'RefreshSdkCredentials',
  Type.Object(
    {
      refresh_token: Type.String({ ...token, description: 'The newest refresh token.' }),
      request_id: Type.Optional(
        Type.String({
          ...text,
          description: `Identifies this attempt. A repeat within 30 seconds must have the same ID, or none like the first request. ${textRule}`,
        }),
      ),
    },
    { description: 'A refresh token to exchange for new credentials.' },
  ),
);

export const SdkCredentials = Component(
  'SdkCredentials',
  Type.Object(
    {
      access_token: Type.String({ description: 'Send it as `Authorization: Bearer`. Valid for one hour.' }),
      token_type: Words(['Bearer']),
      expires_at: Timestamp,
      refresh_token: Type.String({ description: 'Refreshes both tokens once, within 90 days.' }),
      refresh_expires_at: Timestamp,
      session_id: SessionId,
      user_id: UserId,
    },
    { description: 'The credentials of a session.' },
  ),
);
export type SdkCredentialsWire = Static<typeof SdkCredentials>;

export const exampleSdkBootstrap: SdkBootstrapWire = {
  session_id: '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e10',
  client_token: 'ct_<43 characters and a checksum>',
  client_token_expires_at: '2026-03-02T07:29:31.120Z',
  user_id: 'user_01jcqz4w5ve9prdk6r9f4vg1yx',
  api_url: 'https://health.example.com',
  config: { sync_interval_seconds: 900, categories: ['activity', 'sleep'] },
};

export const exampleSdkSession: SdkSessionWire = {
  session_id: exampleSdkBootstrap.session_id,
  status: 'active',
  platform: 'ios',
  installation_id: '6f1d2c3b-phone',
  created_at: '2026-03-02T07:14:31.120Z',
  last_seen_at: '2026-03-02T07:15:02.004Z',
};

export const exampleSdkCredentials: SdkCredentialsWire = {
  access_token: 'sdk_<94 characters>',
  token_type: 'Bearer',
  expires_at: '2026-03-02T08:15:02.000Z',
  refresh_token: 'rt_<43 characters and a checksum>',
  refresh_expires_at: '2026-05-31T07:15:02.004Z',
  session_id: exampleSdkBootstrap.session_id,
  user_id: exampleSdkBootstrap.user_id,
};
