import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf } from '../mapping/read.ts';
import { authorizeUrl } from '../oauth/authorize-url.ts';
import { readTokenAnswer } from '../oauth/token-answer.ts';
import type { AppApi, OAuth, Tokens } from '../provider.ts';

const scopes = ['read', 'activity:read', 'activity:read_all'];

/** Consent and tokens of Strava. A refresh may return the same access token, and the refresh token that it returns is the one to keep. */
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
    const tokens = await askForTokens(api, { grant_type: 'authorization_code', code });
    // What people left ticked is said in the address of return alone.
    const granted = returned.get('scope');
    return granted === null ? tokens : { ...tokens, scopes: granted.split(',').filter((one) => one !== '') };
  },
  refresh: (api, tokens) => {
    if (tokens.refreshToken === null)
      throw new ProviderFailure('consent_ended', 'the consent came without a refresh token');
    return askForTokens(api, { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }, tokens);
  },
  enroll: async (api) => {
    const answer = await api.send({ method: 'GET', url: `${api.app.hosts['www']}/api/v3/athlete` });
    const userId = idOf(fieldsOf(jsonOf(answer))['id']);
    if (userId === null) throw new ProviderFailure('unavailable', 'answered without the id of the person');
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

async function askForTokens(
  api: AppApi,
  form: Readonly<Record<string, string>>,
  before: Tokens | null = null,
): Promise<Tokens> {
  const { clientId, clientSecret, hosts } = api.app;
  const client = { client_id: clientId, client_secret: clientSecret };
  try {
    const url = `${hosts['www']}/oauth/token`;
    const answer = await api.send({ method: 'POST', url, form: { ...form, ...client }, bare: true });
    return readTokenAnswer(answer, api.now(), { before });
  } catch (error) {
    // There is no token here that another one could stand in for: it is the app that is not known.
    if (error instanceof ProviderFailure && error.kind === 'unauthorized')
      throw new ProviderFailure('refused', 'the token endpoint does not accept the app');
    throw error;
  }
}
