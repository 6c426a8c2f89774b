import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf } from '../mapping/read.ts';
import { authorizeUrl, basicHeader } from '../oauth/authorize-url.ts';
import { readTokenResponse } from '../oauth/token-response.ts';
import type { OAuth, UserApi } from '../provider.ts';

const scopes = ['accesslink.read_all'];

/** Polar's OAuth. Tokens live for years and cannot be refreshed, and a user must be registered before any data is available. */
export const oauth: OAuth = {
  scopes,
  pkce: false,
  authorizeUrl: (app, { redirectUri, state }) =>
    authorizeUrl(`${app.hosts['flow']}/oauth2/authorization`, {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
    }),
  redeem: async (api, { code, redirectUri }) => {
    const response = await api.send({
      method: 'POST',
      url: `${api.app.hosts['polarremote']}/v2/oauth2/token`,
      headers: { authorization: basicHeader(api.app), accept: 'application/json' },
      form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
      bare: true,
    });
    const userId = idOf(fieldsOf(jsonOf(response))['x_user_id']);
    if (userId === null) throw new ProviderFailure('unavailable', 'the response has no user id');
    // Only this response contains the user id.
    return { ...readTokenResponse(response, api.now()), kept: { userId } };
  },
  refresh: null,
  enroll: async (api, { memberId }) => {
    const userId = api.tokens.kept?.['userId'] ?? '';
    try {
      await api.send({ method: 'POST', url: usersUrl(api), json: { 'member-id': memberId } });
    } catch (error) {
      // Already registered, unless the member id belongs to another user. In that case this user is unknown.
      if (!(error instanceof ProviderFailure) || error.kind !== 'refused') throw error;
      await api.send({ method: 'GET', url: userUrl(api, userId) });
    }
    return userId;
  },
  revoke: async (api) => {
    try {
      await api.send({ method: 'DELETE', url: userUrl(api, api.userId) });
    } catch (error) {
      const isOver =
        error instanceof ProviderFailure && (error.kind === 'unauthorized' || error.kind === 'gone');
      if (!isOver) throw error;
    }
  },
};

function usersUrl({ app }: UserApi): string {
  return `${app.hosts['www']}/v3/users`;
}

function userUrl(api: UserApi, userId: string): string {
  return `${usersUrl(api)}/${encodeURIComponent(userId)}`;
}
