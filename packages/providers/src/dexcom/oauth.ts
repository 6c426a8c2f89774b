import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf } from '../mapping/read.ts';
import { authorizeUrl } from '../oauth/authorize-url.ts';
import { readTokenResponse } from '../oauth/token-response.ts';
import type { AppApi, OAuth, Tokens } from '../provider.ts';
import { originOf } from './origin-of.ts';

/** Without it there is no refresh token, and a connection would last two hours. */
const scopes = ['offline_access'];

/** Consent at Dexcom. Users revoke it in their account, because the API has no call for it. */
export const oauth: OAuth = {
  scopes,
  pkce: false,
  authorizeUrl: (app, { redirectUri, state }) =>
    authorizeUrl(`${originOf(app)}/v2/oauth2/login`, {
      client_id: app.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopes.join(' '),
      state,
    }),
  redeem: (api, { code, redirectUri }) =>
    requestToken(api, redirectUri, { grant_type: 'authorization_code', code }),
  refresh: async (api, tokens) => {
    const { refreshToken, kept: storedValues } = tokens;
    if (refreshToken === null)
      throw new ProviderFailure('consent_ended', 'the connection has no refresh token');
    const grant = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return requestToken(api, storedValues?.['redirectUri'] ?? '', grant);
  },
  enroll: async (api) => {
    const url = `${originOf(api.app)}/v3/users/self/dataRange`;
    const userId = idOf(fieldsOf(jsonOf(await api.send({ method: 'GET', url })))['userId']);
    if (userId === null) throw new ProviderFailure('unavailable', 'the response has no user id');
    return userId;
  },
  revoke: null,
};

/** Every refresh requires the redirect URI too, so it is stored with the tokens. */
async function requestToken(
  api: AppApi,
  redirectUri: string,
  grant: Record<string, string>,
): Promise<Tokens> {
  const { clientId, clientSecret } = api.app;
  const response = await api.send({
    method: 'POST',
    url: `${originOf(api.app)}/v2/oauth2/token`,
    form: { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUri, ...grant },
    bare: true,
  });
  return { ...readTokenResponse(response, api.now()), kept: { redirectUri } };
}
