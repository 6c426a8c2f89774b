import { Type } from 'typebox';
import {
  jsonResponse,
  errors,
  evenSuspendedErrors,
  noContent,
  type Operation,
} from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import {
  CreateSdkSession,
  exampleSdkBootstrap,
  exampleSdkCredentials,
  exampleSdkSession,
  ExchangeClientToken,
  RefreshSdkCredentials,
  SdkBootstrap,
  SdkCredentials,
  SdkSessionList,
} from '../resources/sdk-session.ts';

const UserPath = Type.Object({
  id: Type.String({ description: 'User identifier.', examples: [exampleSdkBootstrap.user_id] }),
});
const SessionPath = Type.Object({
  ...UserPath.properties,
  session_id: Type.String({ description: 'Session identifier.', examples: [exampleSdkBootstrap.session_id] }),
});
const NoQuery = Type.Object({}, { additionalProperties: false });

/** Sessions work while the account is suspended, so that phones lose no data. */
const sessionErrors = ['invalid_request', ...evenSuspendedErrors, 'not_found'] as const;

const openErrors = [
  'invalid_request',
  'invalid_token',
  'payload_too_large',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

export const createSdkSession = {
  operationId: 'createSdkSession',
  summary: 'Create an SDK session',
  description:
    'Creates a session for one installation of an app and returns what the app needs to start. Send a new UUID as `Idempotency-Key` for each ' +
    'session, and the same one when you retry: for 24 hours it returns the same bootstrap. An `installation_id` that already has a session gets ' +
    'that session again, with a new client token.',
  tags: ['Mobile SDK'],
  params: UserPath,
  headers: Type.Object({
    'Idempotency-Key': Type.String({
      format: 'uuid',
      description: 'A UUID that identifies this request across retries.',
      examples: ['5f0c9f2e-3a4b-4c5d-8e6f-7a8b9c0d1e2f'],
    }),
  }),
  body: RefTo(CreateSdkSession),
  bodyExamples: {
    installation: { platform: 'ios', installation_id: '6f1d2c3b-phone', scopes: ['activity', 'sleep'] },
    nothing_known: {},
  },
  response: {
    200: jsonResponse(
      'The same bootstrap again, or a new one for a known installation.',
      RefTo(SdkBootstrap),
      {
        ...exampleSdkBootstrap,
      },
    ),
    201: jsonResponse('The bootstrap of the created session.', RefTo(SdkBootstrap), exampleSdkBootstrap),
    ...errors(...sessionErrors, 'idempotency_conflict', 'idempotency_in_progress', 'payload_too_large'),
  },
} satisfies Operation;

export const listSdkSessions = {
  operationId: 'listSdkSessions',
  summary: "List a user's SDK sessions",
  description: 'Lists pending and active sessions, newest first.',
  tags: ['Mobile SDK'],
  params: UserPath,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The sessions.', RefTo(SdkSessionList), { data: [exampleSdkSession] }),
    ...errors(...sessionErrors),
  },
} satisfies Operation;

export const deleteSdkSession = {
  operationId: 'deleteSdkSession',
  summary: 'Revoke an SDK session',
  description: "The session's tokens stop working immediately. Revoking it again changes nothing.",
  tags: ['Mobile SDK'],
  params: SessionPath,
  querystring: NoQuery,
  response: { 204: noContent('Revoked.'), ...errors(...sessionErrors, 'payload_too_large') },
} satisfies Operation;

export const exchangeClientToken = {
  operationId: 'exchangeClientToken',
  summary: 'Exchange a client token',
  description:
    'The SDK calls this without a credential. Takes the client token of a session, or a mobile token, which creates its own session. Either token works once.',
  tags: ['Mobile SDK'],
  body: RefTo(ExchangeClientToken),
  bodyExamples: {
    client_token: { client_token: exampleSdkBootstrap.client_token },
    mobile_token: { client_token: 'mt_<43 characters and a checksum>' },
  },
  response: {
    200: jsonResponse('The credentials.', RefTo(SdkCredentials), exampleSdkCredentials),
    ...errors(...openErrors),
  },
} satisfies Operation;

export const refreshSdkCredentials = {
  operationId: 'refreshSdkCredentials',
  summary: 'Refresh SDK credentials',
  description:
    'The SDK calls this without a credential. Each refresh token works once. If a response was lost, send the same request again within ' +
    '30 seconds to get the same response. Any other second use of a token revokes the session, because someone else then has the token too.',
  tags: ['Mobile SDK'],
  body: RefTo(RefreshSdkCredentials),
  bodyExamples: {
    renewal: {
      refresh_token: exampleSdkCredentials.refresh_token,
      request_id: '0195570b-9d2e-7a3b-8c4d-1e2f3a4b5c6d',
    },
  },
  response: {
    200: jsonResponse('The new credentials.', RefTo(SdkCredentials), exampleSdkCredentials),
    ...errors(...openErrors),
  },
} satisfies Operation;

export const deleteCurrentSdkSession = {
  operationId: 'deleteCurrentSdkSession',
  summary: 'End the current SDK session',
  description: 'The SDK calls this with its access token when the user signs out.',
  tags: ['Mobile SDK'],
  querystring: NoQuery,
  response: {
    204: noContent('Revoked.'),
    ...errors(
      'invalid_request',
      'missing_token',
      'invalid_token',
      'token_expired',
      'payload_too_large',
      'rate_limited',
      'internal_error',
      'unavailable',
    ),
  },
} satisfies Operation;
