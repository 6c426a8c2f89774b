import { ProviderFailure } from '../failure.ts';
import { authorizeUrl } from '../oauth/authorize-url.ts';
import type { AppApi, OAuth, Tokens } from '../provider.ts';
import { callAction } from './call-action.ts';
import { enroll } from './enroll.ts';
import { getNonce, signed } from './signature.ts';
import { tokensOf } from './tokens.ts';

const scopes = ['user.info', 'user.metrics', 'user.activity'];

/** Consent at Withings: RFC 6749 in the form of its actions. */
export const oauth: OAuth = {
  scopes,
  pkce: false,
  authorizeUrl: (app, { redirectUri, state }) =>
    authorizeUrl(`${app.hosts['account']}/oauth2_user/authorize2`, {
      response_type: 'code',
      client_id: app.clientId,
      scope: scopes.join(','),
      redirect_uri: redirectUri,
      state,
    }),
  redeem: async (api, { code, redirectUri }) => {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    return tokensOf(await requestToken(api, grant), api.now());
  },
  refresh,
  enroll,
  revoke: async (api) => {
    const form = signed(api, 'revoke', { nonce: await getNonce(api) });
    await callAction(api, '/v2/oauth2', { ...form, userid: api.userId }, { bare: true }).catch(
      (error: unknown) => {
        // The signature was accepted for a nonce, so the error means that the consent has ended.
        if (!isRefusal(error)) throw error;
      },
    );
  },
};

async function refresh(api: AppApi, tokens: Tokens): Promise<Tokens> {
  const grant = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken ?? '' };
  const body = await requestToken(api, grant).catch(async (error: unknown) => {
    if (!isRefusal(error)) throw error;
    // The same statuses reject an app with a wrong secret, and every consent would seem to have ended. Such an app gets no nonce.
    await getNonce(api);
    throw new ProviderFailure('consent_ended', 'the refresh token is no longer valid');
  });
  return tokensOf(body, api.now(), tokens);
}

function requestToken(api: AppApi, grant: Record<string, string>) {
  const { clientId, clientSecret } = api.app;
  const form = { action: 'requesttoken', client_id: clientId, client_secret: clientSecret, ...grant };
  return callAction(api, '/v2/oauth2', form, { bare: true });
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProviderFailure && (error.kind === 'refused' || error.kind === 'unauthorized');
}
