import type { LabProvider, OAuthPolicy, PushRetry } from '../provider.ts';

export const TINY_POLICY: OAuthPolicy = {
  scopes: ['sleep', 'profile', 'offline'],
  scopeSeparator: ' ',
  credentials: 'either',
  pkce: 'optional',
  codeSeconds: 60,
  accessSeconds: 3600,
  refresh: { kind: 'rotating', graceSeconds: 0, onReuse: 'refuse' },
};

const TINY_RETRY: PushRetry = {
  delaysSeconds: [10, 60],
  timeoutMs: 300,
  isSuccess: (status) => status === 204,
  isFinal: (status) => status === 410,
};

const RULES = [
  { calls: 5, windowSeconds: 60, per: 'user' },
  { calls: 8, windowSeconds: 3600, per: 'app', aligned: true },
] as const;

/** A minimal provider: consent, tokens, sleeps and pushes. */
export function tinyProvider(policy: OAuthPolicy = TINY_POLICY): LabProvider {
  return {
    id: 'tiny',
    name: 'Tiny',
    register: (app, frame) => {
      frame.oauth.serveAuthorize('/authorize', policy);
      app.post<{ Body: Record<string, string> }>('/token', ({ body, headers }, reply) => {
        const issued = frame.oauth.token(policy, body, headers.authorization);
        if (typeof issued === 'string') return reply.code(400).send({ error: issued });
        const { grant, accessToken, refreshToken, expiresInSeconds } = issued;
        const scope = grant.scopes.join(' ');
        return {
          access_token: accessToken,
          refresh_token: refreshToken,
          expires_in: expiresInSeconds,
          scope,
        };
      });
      app.get('/me', (request, reply) => {
        const grant = frame.oauth.grantOf(request);
        if (!grant) return reply.code(401).send({ error: 'unauthorized' });
        const states = frame.limits.take(RULES, grant.clientId, grant.userId);
        if (states.some(({ exceeded }) => exceeded))
          return reply.code(429).header('x-reset', states[0]!.resetAtMs).send();
        return { user_id: grant.userId, person: grant.personId, base_url: frame.baseUrl };
      });
      frame.oauth.onRevoked?.(({ personId, clientId }) => {
        const url = frame.app(clientId)?.pushUrl;
        const push = {
          personId,
          clientId,
          method: 'POST',
          headers: {},
          body: 'revoked',
          retry: TINY_RETRY,
        } as const;
        return url ? [{ ...push, url }] : [];
      });
      frame.pushes.onDocument(
        ({ personId, clientId }, document, seen) => {
          const url = frame.app(clientId)?.pushUrl;
          const body = JSON.stringify({ ...document, ...seen });
          if (!url || document.kind !== 'sleep') return [];
          return [{ personId, clientId, method: 'POST', url, headers: { 'x-tiny': '1' }, sign, body }];
        },
        { retry: TINY_RETRY },
      );
    },
  };
}

function sign(atMs: number): Record<string, string> {
  return { 'x-at': String(atMs) };
}
