import type { FastifyInstance } from 'fastify';
import { clientOf } from '../../oauth/client-of.ts';
import type { Frame, TokenProblem } from '../../provider.ts';
import { TokenStore } from './token-store.ts';
import { policy } from './policy.ts';
import { badRequest, unauthorized, type StravaRefusal } from './refusal.ts';

type Fields = Record<string, string | undefined>;

/** Consent, tokens and revocation. `approval_prompt` is accepted and ignored, because the page has no session. */
export function serveOauth(app: FastifyInstance, frame: Frame): void {
  const tokens = new TokenStore(frame);
  frame.oauth.serveAuthorize('/oauth/authorize', policy);

  app.post('/oauth/token', (request, reply) => {
    const fields = (request.body ?? {}) as Fields;
    const issuedTokens = tokens.give(fields);
    if (typeof issuedTokens === 'string') throw refusalOf(issuedTokens, fields);
    const expiresAt = Math.floor(issuedTokens.expiresAt / 1000);
    return reply.send({
      token_type: 'Bearer',
      access_token: issuedTokens.accessToken,
      expires_at: expiresAt,
      expires_in: expiresAt - Math.floor(frame.now() / 1000),
      refresh_token: issuedTokens.refreshToken,
      // A refresh does not return the athlete.
      ...(fields['grant_type'] === 'authorization_code' && {
        athlete: { id: Number(issuedTokens.grant.userId) },
      }),
    });
  });

  app.post('/oauth/deauthorize', (request, reply) => {
    const grant = frame.oauth.grantOf(request);
    if (!grant) throw unauthorized('Athlete', 'access_token');
    frame.oauth.revoke(grant.id);
    return reply.send({ access_token: request.headers.authorization?.split(' ')[1] });
  });

  // Only one source mentions revocation. Accepting either token, and succeeding for an unknown one, follows RFC 7009.
  app.post('/oauth/revoke', (request, reply) => {
    const basic = { ...policy, credentials: 'basic' } as const;
    const client = clientOf(basic, {}, request.headers.authorization, frame.app);
    if (!client) throw unauthorized('Application', 'client_id');
    const { token } = (request.body ?? {}) as Fields;
    if (typeof token !== 'string') throw badRequest('Application', 'token', 'missing');
    const grant = frame.oauth.grantOfToken?.(tokens.accessOf(token) ?? token);
    if (grant?.clientId === client.clientId) frame.oauth.revoke(grant.id);
    return reply.send({});
  });
}

function refusalOf(problem: TokenProblem, fields: Fields): StravaRefusal {
  if (problem === 'invalid_client') return unauthorized('Application', 'client_id');
  if (problem === 'unsupported_grant_type') return badRequest('Application', 'grant_type');
  return fields['grant_type'] === 'refresh_token'
    ? badRequest('RefreshToken', 'refresh_token')
    : badRequest('AuthorizationCode', 'code');
}
