import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf } from '../mapping/read.ts';
import { authorizeUrl } from '../oauth/authorize-url.ts';
import { readTokenResponse } from '../oauth/token-response.ts';
import type { AppApi, OAuth, UserApi } from '../provider.ts';
import type { ProviderResponse } from '../provider-response.ts';
import { apiUrl } from './api-url.ts';

/** Blood oxygen has an older and a newer scope name. Either one allows it. */
const scopes = ['daily', 'heartrate', 'workout', 'spo2Daily', 'spo2', 'stress', 'heart_health'];

/** How users connect their Oura account. */
export const oauth: OAuth = {
  scopes,
  pkce: false,

  authorizeUrl: (app, { redirectUri, state }) =>
    authorizeUrl(`${app.hosts['cloud']}/oauth/authorize`, {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
    }),

  redeem: async (api, { code, redirectUri, returned }) => {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const tokens = readTokenResponse(await requestTokens(api, form), api.now());
    // Users may uncheck scopes, and only the redirect URL contains the remaining ones.
    const granted = returned.get('scope');
    return granted === null
      ? tokens
      : { ...tokens, scopes: granted.split(' ').filter((scope) => scope !== '') };
  },

  refresh: async (api, tokens) => {
    if (tokens.refreshToken === null)
      throw new ProviderFailure('consent_ended', 'the connection has no refresh token');
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken };
    return readTokenResponse(await requestTokens(api, form), api.now(), { before: tokens });
  },

  enroll: async (api) => {
    const id = idOf(fieldsOf(jsonOf(await fetchPersonalInfo(api)))['id']);
    if (id === null) throw new ProviderFailure('unavailable', 'the response has no user id');
    return id;
  },

  revoke: async (api) => {
    const url = apiUrl(api.app, '/oauth/revoke');
    try {
      // The service does not refresh a token in a URL, and an expired one would seem to be revoked already.
      await fetchPersonalInfo(api);
      const query = { access_token: api.tokens.accessToken };
      await api.send({ method: 'POST', url, query, bare: true });
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !endedKinds.has(error.kind)) throw error;
    }
  },
};

/** What revoking returns when there is nothing left to revoke. */
const endedKinds = new Set(['unauthorized', 'consent_ended', 'gone']);

/** The only field that requires no scope. */
function fetchPersonalInfo(api: UserApi): Promise<ProviderResponse> {
  return api.send({ method: 'GET', url: apiUrl(api.app, '/v2/usercollection/personal_info') });
}

async function requestTokens(api: AppApi, form: Record<string, string>): Promise<ProviderResponse> {
  const { clientId, clientSecret } = api.app;
  try {
    return await api.send({
      method: 'POST',
      url: apiUrl(api.app, '/oauth/token'),
      form: { ...form, client_id: clientId, client_secret: clientSecret },
      bare: true,
    });
  } catch (error) {
    // A 401 here concerns the app, so a new user token would not help.
    if (error instanceof ProviderFailure && error.kind === 'unauthorized')
      throw new ProviderFailure('refused', 'the provider rejected the app credentials');
    throw error;
  }
}
