import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, listOf, textOf } from '../mapping/read.ts';
import { authorizeUrl } from '../oauth/authorize-url.ts';
import { readTokenResponse } from '../oauth/token-response.ts';
import type { App, AppApi, OAuth } from '../provider.ts';
import type { ProviderResponse } from '../provider-response.ts';

/** Garmin's OAuth 2 with PKCE. Users choose permissions on its page. An app cannot request single ones. */
export const oauth: OAuth = {
  scopes: ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT'],
  pkce: true,

  authorizeUrl: (app, { redirectUri, state, challenge }) =>
    authorizeUrl(`${app.hosts['connect']}/oauth2Confirm`, {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),

  redeem: async (api, { code, redirectUri, verifier }) => {
    const response = await requestToken(api, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    return readTokenResponse(response, api.now());
  },

  refresh: async (api, tokens) => {
    if (tokens.refreshToken === null)
      throw new ProviderFailure('consent_ended', 'the connection has no refresh token');
    const response = await requestToken(api, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refreshToken,
    });
    return readTokenResponse(response, api.now(), { before: tokens });
  },

  enroll: async (api) => {
    const response = await api.send({ method: 'GET', url: userUrl(api.app, 'id') });
    const userId = textOf(fieldsOf(jsonOf(response))['userId']);
    if (userId === null) throw new ProviderFailure('unavailable', 'the response has no user id');
    return userId;
  },

  readScopes: async (api) => {
    try {
      const response = await api.send({ method: 'GET', url: userUrl(api.app, 'permissions') });
      const permissions = fieldsOf(jsonOf(response))['permissions'];
      return Array.isArray(permissions) ? listOf(permissions).flatMap((one) => textOf(one) ?? []) : null;
    } catch (error) {
      if (error instanceof ProviderFailure) return null;
      throw error;
    }
  },

  revoke: async (api) => {
    try {
      await api.send({ method: 'DELETE', url: userUrl(api.app, 'registration') });
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !ended.has(error.kind)) throw error;
    }
  },
};

/** Statuses that Garmin returns when a consent has already ended. */
const ended: ReadonlySet<string> = new Set(['unauthorized', 'consent_ended', 'gone']);

function requestToken(
  { app, send }: AppApi,
  form: Readonly<Record<string, string>>,
): Promise<ProviderResponse> {
  return send({
    method: 'POST',
    url: `${app.hosts['diauth']}/di-oauth2-service/oauth/token`,
    bare: true,
    form: { ...form, client_id: app.clientId, client_secret: app.clientSecret },
  });
}

function userUrl(app: App, what: 'id' | 'permissions' | 'registration'): string {
  return `${app.hosts['apis']}/wellness-api/rest/user/${what}`;
}
