import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf } from '../mapping/read.ts';
import { authorizeUrl } from '../oauth/authorize-url.ts';
import { readTokenResponse } from '../oauth/token-response.ts';
import type { AppApi, OAuth, Tokens } from '../provider.ts';

const scopes = ['read', 'activity:read', 'activity:read_all'];

/** Consent and tokens of Strava. A refresh may return the same access token. Always store the refresh token that it returns. */
export const oauth: OAuth = {
  scopes,
  pkce: false,
  authorizeUrl: ({ clientId, hosts }, { redirectUri, state }) =>
    authorizeUrl(`${hosts['www']}/oauth/authorize`, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      approval_prompt: 'auto',
      scope: scopes.join(','),
      state,
    }),
  redeem: async (api, { code, returned }) => {
    const tokens = await requestTokens(api, { grant_type: 'authorization_code', code });
    // Only the redirect URL contains the scopes that the user left checked.
    const granted = returned.get('scope');
    return granted === null ? tokens : { ...tokens, scopes: granted.split(',').filter((one) => one !== '') };
  },
  refresh: (api, tokens) => {
    if (tokens.refreshToken === null)
      throw new ProviderFailure('consent_ended', 'the connection has no refresh token');
    return requestTokens(api, { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }, tokens);
  },
  enroll: async (api) => {
    const response = await api.send({ method: 'GET', url: `${api.app.hosts['www']}/api/v3/athlete` });
    const userId = idOf(fieldsOf(jsonOf(response))['id']);
    if (userId === null) throw new ProviderFailure('unavailable', 'the response has no user id');
    return userId;
  },
  revoke: async (api) => {
    try {
      await api.send({ method: 'POST', url: `${api.app.hosts['www']}/oauth/deauthorize` });
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.kind !== 'unauthorized') throw error;
    }
  },
};

async function requestTokens(
  api: AppApi,
  form: Readonly<Record<string, string>>,
  before: Tokens | null = null,
): Promise<Tokens> {
  const { clientId, clientSecret, hosts } = api.app;
  const client = { client_id: clientId, client_secret: clientSecret };
  try {
    const url = `${hosts['www']}/oauth/token`;
    const response = await api.send({ method: 'POST', url, form: { ...form, ...client }, bare: true });
    return readTokenResponse(response, api.now(), { before });
  } catch (error) {
    // No user token is involved here, so the app itself is unknown.
    if (error instanceof ProviderFailure && error.kind === 'unauthorized')
      throw new ProviderFailure('refused', 'the provider rejected the app credentials');
    throw error;
  }
}
