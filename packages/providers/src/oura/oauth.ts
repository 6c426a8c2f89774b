import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf } from '../mapping/read.ts';
import { authorizeUrl } from '../oauth/authorize-url.ts';
import { readTokenAnswer } from '../oauth/token-answer.ts';
import type { Answer, AppApi, OAuth, UserApi } from '../provider.ts';
import { apiUrl } from './api-url.ts';

/** The oxygen of the blood has an older and a newer name; either opens it. */
const scopes = ['daily', 'heartrate', 'workout', 'spo2Daily', 'spo2', 'stress', 'heart_health'];

/** How people connect their Oura account. */
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
    const tokens = readTokenAnswer(await askForTokens(api, form), api.now());
    // People may untick scopes, and only the address of return says what is left of them.
    const granted = returned.get('scope');
    return granted === null
      ? tokens
      : { ...tokens, scopes: granted.split(' ').filter((scope) => scope !== '') };
  },

  refresh: async (api, tokens) => {
    if (tokens.refreshToken === null) throw new ProviderFailure('consent_ended', 'there is no refresh token');
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken };
    return readTokenAnswer(await askForTokens(api, form), api.now(), { before: tokens });
  },

  enroll: async (api) => {
    const id = idOf(fieldsOf(jsonOf(await askWho(api)))['id']);
    if (id === null) throw new ProviderFailure('unavailable', 'did not say who the person is');
    return id;
  },

  revoke: async (api) => {
    const url = apiUrl(api.app, '/oauth/revoke');
    try {
      // Nobody renews a token that goes by the address, and an old one would seem to be revoked already.
      await askWho(api);
      const query = { access_token: api.tokens.accessToken };
      await api.send({ method: 'POST', url, query, bare: true });
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !endedKinds.has(error.kind)) throw error;
    }
  },
};

/** What revoking answers when there is nothing left to revoke. */
const endedKinds = new Set(['unauthorized', 'consent_ended', 'gone']);

/** The one thing that needs no scope. */
function askWho(api: UserApi): Promise<Answer> {
  return api.send({ method: 'GET', url: apiUrl(api.app, '/v2/usercollection/personal_info') });
}

async function askForTokens(api: AppApi, form: Record<string, string>): Promise<Answer> {
  const { clientId, clientSecret } = api.app;
  try {
    return await api.send({
      method: 'POST',
      url: apiUrl(api.app, '/oauth/token'),
      form: { ...form, client_id: clientId, client_secret: clientSecret },
      bare: true,
    });
  } catch (error) {
    // Here a 401 speaks of the app, and no new token of the person's would mend it.
    if (error instanceof ProviderFailure && error.kind === 'unauthorized')
      throw new ProviderFailure('refused', 'the app was not accepted');
    throw error;
  }
}
