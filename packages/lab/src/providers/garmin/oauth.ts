import type { FastifyInstance } from 'fastify';
import type { Frame, OAuthPolicy } from '../../provider.ts';

/** Permissions that users toggle when they consent. Historical data is off by default. */
export const permissions: readonly string[] = ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT'];

/** How Garmin issues tokens. */
const policy: OAuthPolicy = {
  scopes: permissions,
  scopeSeparator: ' ',
  credentials: 'body',
  pkce: 'required',
  codeSeconds: 600,
  accessSeconds: 86_400,
  // That refresh tokens rotate comes from a single source. No source mentions a grace period.
  refresh: { kind: 'rotating', graceSeconds: 0, onReuse: 'refuse' },
  refreshSeconds: 90 * 86_400,
  untickedScopes: ['HISTORICAL_DATA_EXPORT'],
};

/** Serves consent and tokens. Reports each person's first token, which starts the backfill period. */
export function serveOAuth(app: FastifyInstance, frame: Frame, onConnected: (grantId: string) => void): void {
  frame.oauth.serveAuthorize('/connect/oauth2Confirm', policy);
  app.post('/diauth/di-oauth2-service/oauth/token', (request, reply) => {
    const fields = Object.fromEntries(
      Object.entries((request.body ?? {}) as Record<string, unknown>).map(([name, value]) => [
        name,
        String(value),
      ]),
    );
    const issued = frame.oauth.token(policy, fields, request.headers.authorization);
    if (typeof issued === 'string')
      return reply.code(issued === 'invalid_client' ? 401 : 400).send({ error: issued });
    onConnected(issued.grant.id);
    return {
      access_token: issued.accessToken,
      token_type: 'bearer',
      expires_in: issued.expiresInSeconds,
      refresh_token: issued.refreshToken,
    };
  });
}
