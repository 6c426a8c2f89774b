import type { FastifyRequest } from 'fastify';
import type { Frame, Grant, LimitState } from '../../provider.ts';
import { lifeOf } from '../life.ts';
import type { Life } from '../life.ts';
import { limitRules } from './policy.ts';
import { OuraRefusal } from './refusal.ts';

/** Admits a request that has a valid token and one of the scopes (if any is required) and is within the limits. */
export function admit(
  frame: Frame,
  request: FastifyRequest,
  scopes: readonly string[],
): { grant: Grant; life: Life } {
  const grant = frame.oauth.grantOf(request);
  const person = grant && frame.person(grant.personId);
  if (!grant || !person)
    throw new OuraRefusal(
      401,
      'The access token is missing, expired or revoked. Refresh it, or request consent again.',
    );
  const exceeded = frame.limits
    .take(limitRules, grant.clientId, grant.userId)
    .find((state) => state.exceeded);
  if (exceeded) throw tooMany(exceeded, frame.now());
  if (scopes.length > 0 && !scopes.some((scope) => grant.scopes.includes(scope)))
    throw new OuraRefusal(403, `The user has not granted the scope ${scopes.join(' or ')}.`);
  return { grant, life: lifeOf(frame, person) };
}

/** One query value. A repeated parameter is rejected. */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  if (Array.isArray(value)) throw new OuraRefusal(400, `Send ${name} only once.`);
  return value === '' ? undefined : value;
}

function tooMany(state: LimitState, now: number): OuraRefusal {
  return new OuraRefusal(429, 'Too many requests. Wait until the limit resets.', {
    'Retry-After': String(Math.max(1, Math.ceil((state.resetAtMs - now) / 1000))),
    'X-RateLimit-Limit': String(state.calls),
    'X-RateLimit-Window': String(state.windowSeconds),
    'X-RateLimit-Reset': String(Math.ceil(state.resetAtMs / 1000)),
    'X-RateLimit-Tier': state.per === 'user' ? 'token' : 'app',
  });
}
