import type { FastifyInstance } from 'fastify';
import type { Frame } from '../../provider.ts';
import { policy } from './policy.ts';

/** Consent and tokens. No endpoint revokes a grant: users do that in their account. */
export function serveOauth(app: FastifyInstance, frame: Frame): void {
  // Only newer documentation has the second pair of paths.
  for (const version of ['v2', 'v3']) {
    frame.oauth.serveAuthorize(`/${version}/oauth2/login`, policy);

    app.post(`/${version}/oauth2/token`, (request, reply) => {
      const fields = (request.body ?? {}) as Record<string, string | undefined>;
      if (fields['grant_type'] === 'authorization_code' && !fields['redirect_uri'])
        return reply.code(400).send({ error: 'invalid_request' });
      const issued = frame.oauth.token(policy, fields, undefined);
      if (typeof issued === 'string')
        return reply.code(issued === 'invalid_client' ? 401 : 400).send({ error: issued });
      return reply.send({
        access_token: issued.accessToken,
        expires_in: issued.expiresInSeconds,
        token_type: 'Bearer',
        ...(issued.refreshToken !== null && { refresh_token: issued.refreshToken }),
      });
    });
  }
}
