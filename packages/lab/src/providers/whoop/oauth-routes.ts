import type { FastifyInstance } from 'fastify';
import type { Frame } from '../../provider.ts';
import { admit } from './admit.ts';
import { policy } from './policy.ts';

/** Consent, tokens and revocation. */
export function serveOauth(app: FastifyInstance, frame: Frame): void {
  frame.oauth.serveAuthorize('/oauth/oauth2/auth', policy);

  app.post('/oauth/oauth2/token', (request, reply) => {
    const fields = (request.body ?? {}) as Record<string, string | undefined>;
    // The documentation has clients send `scope=offline` when they refresh. That it is required is an assumption.
    if (fields['grant_type'] === 'refresh_token' && !hasOfflineScope(fields['scope']))
      return reply.code(400).send({ error: 'invalid_scope' });
    const issued = frame.oauth.token(policy, fields, request.headers.authorization);
    if (typeof issued === 'string')
      return reply.code(issued === 'invalid_client' ? 401 : 400).send({ error: issued });
    return reply.send({
      access_token: issued.accessToken,
      expires_in: issued.expiresInSeconds,
      ...(issued.refreshToken !== null && { refresh_token: issued.refreshToken }),
      scope: issued.grant.scopes.join(' '),
      token_type: 'bearer',
    });
  });

  app.delete('/developer/v2/user/access', (request, reply) => {
    frame.oauth.revoke(admit(frame, request, reply, null).grant.id);
    return reply.code(204).send();
  });
}

/** A field that is sent twice is a list, and is ignored. */
function hasOfflineScope(scope: unknown): boolean {
  return typeof scope === 'string' && scope.split(' ').includes('offline');
}
