import type { FastifyInstance, FastifyReply } from 'fastify';
import { digestOf, isSameSecret } from '../../oauth/secrets.ts';
import type { Frame } from '../../provider.ts';
import { policy } from './policy.ts';
import { projectTokenSeconds, type ProjectTokens } from './project-tokens.ts';

type Fields = Record<string, string | undefined>;

const authorizePath = '/accounts/o/oauth2/v2/auth';
const mostCodes = 1000;
const cloudPlatform = 'https://www.googleapis.com/auth/cloud-platform';

/** Consent, tokens and revocation. Issues a refresh token for `access_type=offline`, and without `prompt=consent` only once. */
export function serveOauth(app: FastifyInstance, frame: Frame, projectTokens: ProjectTokens): void {
  /** The parameters of each code's authorization request. */
  const codes = new Map<string, { isOffline: boolean; isPrompted: boolean }>();
  const grantByRefreshToken = new Map<string, string>();
  frame.oauth.serveAuthorize(authorizePath, policy);
  app.addHook('onSend', async (request, reply) => {
    const location = reply.getHeader('location');
    const isReturn = request.routeOptions.url?.endsWith(authorizePath) && typeof location === 'string';
    const code = isReturn ? new URL(location).searchParams.get('code') : null;
    if (code === null) return;
    const params = { ...(request.query as object), ...(request.body as object | undefined) };
    const { access_type: access, prompt } = params as Record<string, unknown>;
    // Codes that are never redeemed are dropped, oldest first.
    if (codes.size >= mostCodes) codes.delete([...codes.keys()][0]!);
    codes.set(digestOf(code), {
      isOffline: access === 'offline',
      isPrompted: typeof prompt === 'string' && prompt.split(' ').includes('consent'),
    });
  });

  app.post('/oauth2/token', (request, reply) => {
    const fields = (request.body ?? {}) as Fields;
    if (fields['grant_type'] === 'client_credentials') return sendProjectToken(reply, fields);
    const issued = frame.oauth.token(policy, fields, request.headers.authorization);
    if (typeof issued === 'string')
      return reply.code(issued === 'invalid_client' ? 401 : 400).send({ error: issued });
    const { grant, refreshToken } = issued;
    const isNew = fields['grant_type'] === 'authorization_code';
    const code = isNew ? codes.get(digestOf(String(fields['code']))) : undefined;
    if (isNew) codes.delete(digestOf(String(fields['code'])));
    const hadOne = [...grantByRefreshToken.values()].includes(grant.id);
    const issuedRefreshToken = code?.isOffline && (code.isPrompted || !hadOne) ? refreshToken : null;
    if (issuedRefreshToken !== null) grantByRefreshToken.set(digestOf(issuedRefreshToken), grant.id);
    return reply.send({
      access_token: issued.accessToken,
      expires_in: issued.expiresInSeconds,
      ...(issuedRefreshToken !== null && { refresh_token: issuedRefreshToken }),
      scope: grant.scopes.join(' '),
      token_type: 'Bearer',
    });
  });

  app.post('/oauth2/revoke', (request, reply) => {
    const { token } = { ...(request.query as Fields), ...(request.body as Fields | undefined) };
    const text = typeof token === 'string' ? token : '';
    const grantId = frame.oauth.grantOfToken?.(text)?.id ?? grantByRefreshToken.get(digestOf(text));
    const grant = frame.oauth.grants().find(({ id }) => id === grantId);
    if (!grant || grant.revoked) return reply.code(400).send({ error: 'invalid_token' });
    frame.oauth.revoke(grant.id);
    return reply.send({});
  });

  /** Replaces the signed assertion of a service account, which the lab does not have. The app sends its own id and secret instead. */
  function sendProjectToken(reply: FastifyReply, fields: Fields): FastifyReply {
    const { client_id: id, client_secret: secret, scope } = fields;
    const client = typeof id === 'string' ? frame.app(id) : undefined;
    if (!client || typeof secret !== 'string' || !isSameSecret(secret, client.clientSecret))
      return reply.code(401).send({ error: 'invalid_client' });
    if (scope !== cloudPlatform) return reply.code(400).send({ error: 'invalid_scope' });
    return reply.send({
      access_token: projectTokens.issue(client.clientId),
      expires_in: projectTokenSeconds,
      token_type: 'Bearer',
    });
  }
}
