import type { FastifyInstance } from 'fastify';
import type { Frame } from '../../provider.ts';
import { queryValue } from './admit.ts';
import { policy } from './policy.ts';
import { OuraRefusal } from './refusal.ts';

/** Consent, tokens and revocation. */
export function serveOauth(app: FastifyInstance, frame: Frame): void {
  frame.oauth.serveAuthorize('/cloud/oauth/authorize', policy);

  app.post('/api/oauth/token', (request, reply) => {
    const fields = (request.body ?? {}) as Record<string, string | undefined>;
    const issued = frame.oauth.token(policy, fields, request.headers.authorization);
    if (typeof issued === 'string')
      return reply.code(issued === 'invalid_client' ? 401 : 400).send({ error: issued });
    return reply.send({
      token_type: 'bearer',
      access_token: issued.accessToken,
      expires_in: issued.expiresInSeconds,
      refresh_token: issued.refreshToken,
    });
  });

  app.post('/api/oauth/revoke', (request, reply) => {
    const token = queryValue(request, 'access_token');
    if (token === undefined) throw new OuraRefusal(400, 'access_token is missing from the query.');
    const grant = frame.oauth.grantOfToken?.(token);
    if (!grant) throw new OuraRefusal(401, 'The access token has expired or was already revoked.');
    frame.oauth.revoke(grant.id);
    return reply.code(200).send({});
  });
}
