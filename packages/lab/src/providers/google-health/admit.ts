import type { FastifyRequest } from 'fastify';
import type { Frame, Grant } from '../../provider.ts';
import { lifeOf, type Life } from '../life.ts';
import { limitRules, policy, scopeOf, type ScopeWord } from './policy.ts';
import { GoogleRefusal } from './refusal.ts';

/** Admits a request that has a valid token and the scope, reads the token's own user, and is within the limits. */
export function admit(
  frame: Frame,
  request: FastifyRequest,
  scope: ScopeWord | null,
): { grant: Grant; life: Life } {
  const grant = frame.oauth.grantOf(request);
  const person = grant && frame.person(grant.personId);
  if (!grant || !person) throw new GoogleRefusal(401, 'The access token is missing, expired or revoked.');
  const states = frame.limits.take(limitRules, grant.clientId, grant.userId);
  if (states.some((state) => state.exceeded))
    throw new GoogleRefusal(429, 'The quota of requests per minute is exhausted. Try again later.');
  const { user } = request.params as { user?: string };
  if (user !== 'me' && user !== grant.userId)
    throw new GoogleRefusal(403, 'The token belongs to another user. Use users/me.');
  const isGranted = scope === null ? grant.scopes.length > 0 : grant.scopes.includes(scopeOf(scope));
  if (!isGranted)
    throw new GoogleRefusal(
      403,
      `The user has not granted ${scope === null ? policy.scopes[0] : scopeOf(scope)}.`,
      'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    );
  return { grant, life: lifeOf(frame, person) };
}

/** One query value. A repeated parameter is rejected. */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  if (Array.isArray(value)) throw new GoogleRefusal(400, `Send ${name} only once.`);
  return value === '' ? undefined : value;
}
