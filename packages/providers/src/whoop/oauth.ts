import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf } from '../mapping/read.ts';
import { authorizeUrl } from '../oauth/authorize-url.ts';
import { readTokenResponse } from '../oauth/token-response.ts';
import type { AppApi, OAuth, Tokens } from '../provider.ts';
import { addressOf } from './list-records.ts';

const scopes = [
  // Without it there is no refresh token.
  'offline',
  'read:profile',
  'read:body_measurement',
  'read:cycles',
  'read:recovery',
  'read:sleep',
  'read:workout',
];

/** Consent and tokens of WHOOP. Each refresh returns a new pair and invalidates the previous refresh token at once. */
export const oauth: OAuth = {
  scopes,
  pkce: false,
  authorizeUrl: ({ clientId, hosts }, { redirectUri, state }) =>
    authorizeUrl(`${hosts['api']}/oauth/oauth2/auth`, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
    }),
  redeem: (api, { code, redirectUri }) =>
    requestTokens(api, { grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
  refresh: (api, tokens) => {
    if (tokens.refreshToken === null)
      throw new ProviderFailure('consent_ended', 'the connection has no refresh token');
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken, scope: 'offline' };
    return requestTokens(api, form, tokens);
  },
  enroll: async (api) => {
    const response = await api.send({ method: 'GET', url: addressOf(api, '/user/profile/basic') });
    const userId = idOf(fieldsOf(jsonOf(response))['user_id']);
    if (userId === null) throw new ProviderFailure('unavailable', 'the response has no user id');
    return userId;
  },
  revoke: async (api) => {
    try {
      await api.send({ method: 'DELETE', url: addressOf(api, '/user/access') });
    } catch (error) {
      const isOver = error instanceof ProviderFailure && overKinds.has(error.kind);
      if (!isOver) throw error;
    }
  },
};

const overKinds: ReadonlySet<string> = new Set(['unauthorized', 'consent_ended']);

async function requestTokens(
  api: AppApi,
  form: Readonly<Record<string, string>>,
  before: Tokens | null = null,
): Promise<Tokens> {
  const { clientId, clientSecret, hosts } = api.app;
  const client = { client_id: clientId, client_secret: clientSecret };
  try {
    const url = `${hosts['api']}/oauth/oauth2/token`;
    const response = await api.send({ method: 'POST', url, form: { ...form, ...client }, bare: true });
    return readTokenResponse(response, api.now(), { before });
  } catch (error) {
    // No user token is involved here, so the app itself is unknown.
    if (error instanceof ProviderFailure && error.kind === 'unauthorized')
      throw new ProviderFailure('refused', 'the provider rejected the app credentials');
    throw error;
  }
}
