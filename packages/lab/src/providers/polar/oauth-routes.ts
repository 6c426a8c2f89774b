import type { FastifyInstance } from 'fastify';
import { digestOf } from '../../oauth/secrets.ts';
import type { Frame } from '../../provider.ts';
import { policy } from './policy.ts';

type Fields = Record<string, string | undefined>;

const mostCodes = 1000;
const authorizePath = '/flow/oauth2/authorization';

/** Consent and tokens. A redirect_uri in the consent request must be repeated in the token request. */
export function serveOauth(app: FastifyInstance, frame: Frame): void {
  const codesWithAddress = new Set<string>();
  frame.oauth.serveAuthorize(authorizePath, policy);
  app.addHook('onSend', async (request, reply) => {
    const location = reply.getHeader('location');
    const isReturn = request.routeOptions.url?.endsWith(authorizePath) && typeof location === 'string';
    const code = isReturn ? new URL(location).searchParams.get('code') : null;
    const params = { ...(request.query as Fields), ...(request.body as Fields | undefined) };
    if (code === null || params['redirect_uri'] === undefined) return;
    // Codes that are never redeemed are dropped, oldest first.
    if (codesWithAddress.size >= mostCodes) codesWithAddress.delete([...codesWithAddress][0]!);
    codesWithAddress.add(digestOf(code));
  });

  app.post('/polarremote/v2/oauth2/token', (request, reply) => {
    const fields = (request.body ?? {}) as Fields;
    const code = digestOf(String(fields['code']));
    if (codesWithAddress.has(code) && fields['redirect_uri'] === undefined)
      return reply.code(400).send({ error: 'invalid_request' });
    const issued = frame.oauth.token(policy, fields, request.headers.authorization);
    if (typeof issued === 'string')
      return reply.code(issued === 'invalid_client' ? 401 : 400).send({ error: issued });
    codesWithAddress.delete(code);
    return reply.send({
      access_token: issued.accessToken,
      token_type: 'bearer',
      expires_in: issued.expiresInSeconds,
      x_user_id: Number(issued.grant.userId),
    });
  });
}
