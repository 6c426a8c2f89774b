import type { FastifyInstance } from 'fastify';
import type { Frame, Grant, OAuthPolicy } from '../../provider.ts';
import { Refused } from './response.ts';
import type { Fields } from './range.ts';
import { serveRpc } from './rpc.ts';
import { keepNonces, signedBy } from './signature.ts';
import type { Nonces } from './signature.ts';

/** How Withings issues tokens. */
const policy: OAuthPolicy = {
  scopes: ['user.info', 'user.metrics', 'user.activity', 'user.sleepevents'],
  scopeSeparator: ',',
  credentials: 'body',
  pkce: 'ignored',
  codeSeconds: 30,
  accessSeconds: 10_800,
  // Clients report that reusing an old token signs users out.
  refresh: { kind: 'rotating', graceSeconds: 8 * 3600, onReuse: 'revoke' },
  refreshSeconds: 365 * 86_400,
  graceEndsOnUse: true,
};

/** Serves consent, tokens, signatures and revocation. */
export function serveOAuth(app: FastifyInstance, frame: Frame, onRevoked: (grant: Grant) => void): void {
  const nonces = keepNonces(frame.now);
  frame.oauth.serveAuthorize('/account/oauth2_user/authorize2', policy);
  serveRpc(app, '/wbsapi/v2/signature', (fields) => {
    if (fields['action'] !== 'getnonce') throw new Refused('parameter');
    return { nonce: nonces.give(signedBy(frame, fields, 'timestamp').clientId) };
  });
  serveRpc(app, '/wbsapi/v2/oauth2', (fields) => {
    if (fields['action'] === 'requesttoken') return requestToken(frame, nonces, fields);
    if (fields['action'] === 'revoke') return revoke(frame, nonces, fields, onRevoked);
    throw new Refused('parameter');
  });
}

function requestToken(frame: Frame, nonces: Nonces, fields: Fields): object {
  const proven =
    fields['signature'] === undefined
      ? fields
      : { ...fields, client_secret: signer(frame, nonces, fields).clientSecret };
  const issued = frame.oauth.token(policy, proven, undefined);
  if (issued === 'invalid_client') throw new Refused('token');
  if (typeof issued === 'string') throw new Refused('parameter');
  return {
    userid: issued.grant.userId,
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    expires_in: issued.expiresInSeconds,
    scope: issued.grant.scopes.join(','),
    token_type: 'Bearer',
  };
}

function revoke(frame: Frame, nonces: Nonces, fields: Fields, onRevoked: (grant: Grant) => void): object {
  const { clientId } = signer(frame, nonces, fields);
  const grants = frame.oauth
    .grants()
    .filter((grant) => grant.clientId === clientId && grant.userId === fields['userid'] && !grant.revoked);
  if (grants.length === 0) throw new Refused('parameter');
  for (const grant of grants) {
    onRevoked(grant);
    frame.oauth.revoke(grant.id);
  }
  return {};
}

function signer(frame: Frame, nonces: Nonces, fields: Fields) {
  const app = signedBy(frame, fields, 'nonce');
  if (!nonces.take(app.clientId, fields['nonce'] ?? '')) throw new Refused('parameter');
  return app;
}
