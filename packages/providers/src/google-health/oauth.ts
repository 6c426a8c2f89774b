import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf } from '../mapping/read.ts';
import { authorizeUrl } from '../oauth/authorize-url.ts';
import { readTokenResponse } from '../oauth/token-response.ts';
import type { AppApi, OAuth, Tokens } from '../provider.ts';
import { activityScope, metricsScope, sleepScope } from './scopes.ts';

/** Google's OAuth. The refresh token stays the same and is not repeated in refresh responses. */
export const oauth: OAuth = {
  scopes: [activityScope, metricsScope, sleepScope],
  pkce: true,
  authorizeUrl: (app, { redirectUri, state, challenge }) =>
    authorizeUrl(`${app.hosts['accounts']}/o/oauth2/v2/auth`, {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: oauth.scopes.join(' '),
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      // Without both, a user who consents again gets no refresh token.
      access_type: 'offline',
      prompt: 'consent',
    }),
  redeem: (api, { code, redirectUri, verifier }) =>
    requestTokens(
      api,
      { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
      null,
    ),
  refresh: async (api, tokens) => {
    if (tokens.refreshToken === null)
      throw new ProviderFailure('consent_ended', 'the connection has no refresh token');
    return requestTokens(api, { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }, tokens);
  },
  enroll: async (api) => {
    const response = await api.send({
      method: 'GET',
      url: `${api.app.hosts['health']}/v4/users/me/identity`,
    });
    const id = idOf(fieldsOf(jsonOf(response))['healthUserId']);
    if (id === null) throw new ProviderFailure('unavailable', 'the response has no user id');
    return id;
  },
  revoke: async (api) => {
    const { refreshToken, accessToken } = api.tokens;
    try {
      await api.send({
        method: 'POST',
        url: `${api.app.hosts['oauth2']}/revoke`,
        form: { token: refreshToken ?? accessToken },
        bare: true,
      });
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.kind !== 'consent_ended') throw error;
    }
  },
};

async function requestTokens(
  api: AppApi,
  form: Record<string, string>,
  before: Tokens | null,
): Promise<Tokens> {
  const { clientId, clientSecret, hosts } = api.app;
  const response = await api.send({
    method: 'POST',
    url: `${hosts['oauth2']}/token`,
    form: { ...form, client_id: clientId, client_secret: clientSecret },
    bare: true,
  });
  return readTokenResponse(response, api.now(), { before });
}
