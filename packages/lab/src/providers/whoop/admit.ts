import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Frame, Grant, LimitState } from '../../provider.ts';
import { lifeOf, type Life } from '../life.ts';
import { limitRules } from './policy.ts';
import { WhoopRefusal } from './refusal.ts';

/** Admits a request that has a valid token and the scope, and is within the limits. Every response reports the limits. */
export function admit(
  frame: Frame,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string | null,
): { grant: Grant; life: Life } {
  const grant = frame.oauth.grantOf(request);
  const person = grant && frame.person(grant.personId);
  if (!grant || !person)
    throw new WhoopRefusal(401, 'unauthorized', 'The access token is missing, expired or revoked.');
  const states = frame.limits.take(limitRules, grant.clientId, grant.userId);
  reply.headers(limitHeaders(states, frame.now()));
  if (states.some((state) => state.exceeded))
    throw new WhoopRefusal(429, 'too_many_requests', 'Too many requests. Wait until the limit resets.');
  if (scope !== null && !grant.scopes.includes(scope))
    throw new WhoopRefusal(403, 'forbidden', `The user has not granted ${scope}.`);
  return { grant, life: lifeOf(frame, person) };
}

/** One query value. A repeated parameter is rejected. */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  if (Array.isArray(value)) throw new WhoopRefusal(400, 'bad_request', `Send ${name} only once.`);
  return value === '' ? undefined : value;
}

/** Remaining and reset are those of the rule closest to its limit. */
function limitHeaders(states: LimitState[], now: number): Record<string, string> {
  const [tightest] = states.toSorted((a, b) => left(a) - left(b));
  if (!tightest) return {};
  const rules = states.map(({ calls, windowSeconds }) => `${calls};window=${windowSeconds}`);
  return {
    'X-RateLimit-Limit': [tightest.calls, ...rules].join(', '),
    'X-RateLimit-Remaining': String(left(tightest)),
    'X-RateLimit-Reset': String(Math.max(0, Math.ceil((tightest.resetAtMs - now) / 1000))),
  };
}

function left(state: LimitState): number {
  return state.exceeded ? 0 : Math.max(0, state.calls - state.used);
}
