import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Frame, Grant, LimitState } from '../../provider.ts';
import { lifeOf, type Life } from '../life.ts';
import { limitRules } from './policy.ts';
import { PolarRefusal } from './refusal.ts';
import type { Registration, Registry } from './registry.ts';

/** Admits a request with a valid token of a user who consented, within the limits. Every response reports the limits. */
export function admitUser(
  frame: Frame,
  registry: Registry,
  request: FastifyRequest,
  reply: FastifyReply,
): { grant: Grant; life: Life } {
  const grant = frame.oauth.grantOf(request);
  const person = grant && frame.person(grant.personId);
  if (!grant || !person) throw new PolarRefusal(401, 'The access token is missing or revoked.');
  const rules = limitRules(registry.count(grant.clientId));
  const states = frame.limits.take(rules, grant.clientId, grant.userId);
  reply.headers(limitHeaders(states, frame.now()));
  if (states.some((state) => state.exceeded))
    throw new PolarRefusal(429, 'Too many requests. Wait until the limit resets.');
  if (grant.scopes.length === 0) throw new PolarRefusal(403, 'The user has not accepted mandatory consents.');
  return { grant, life: lifeOf(frame, person) };
}

/** The same for data, which only exists for registered users. That the error is 403 is an assumption. */
export function admit(
  frame: Frame,
  registry: Registry,
  request: FastifyRequest,
  reply: FastifyReply,
): { grant: Grant; life: Life; registration: Registration } {
  const admitted = admitUser(frame, registry, request, reply);
  const registration = registry.find(admitted.grant);
  if (!registration) throw new PolarRefusal(403, 'The user is not registered. Call POST /v3/users first.');
  return { ...admitted, registration };
}

/** One query value. A repeated parameter is rejected. */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  if (Array.isArray(value)) throw new PolarRefusal(400, `Send ${name} only once.`);
  return value === '' ? undefined : value;
}

/** Each header has two numbers: per 15 minutes and per day. */
function limitHeaders(states: LimitState[], now: number): Record<string, string> {
  const both = (select: (state: LimitState) => number): string => states.map(select).join(', ');
  return {
    'RateLimit-Usage': both(({ used }) => used),
    'RateLimit-Limit': both(({ calls }) => calls),
    'RateLimit-Reset': both(({ resetAtMs }) => Math.max(0, Math.ceil((resetAtMs - now) / 1000))),
  };
}
