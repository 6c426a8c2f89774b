import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Frame, Grant, LimitState } from '../../provider.ts';
import { lifeOf, type Life } from '../life.ts';
import { allRules, readRules } from './policy.ts';
import { badRequest, StravaRefusal, unauthorized } from './refusal.ts';

export interface Admitted {
  grant: Grant;
  life: Life;
}

/** Admits a request that has a valid token and is within the limits. Every response reports the limits. */
export function admit(frame: Frame, request: FastifyRequest, reply: FastifyReply): Admitted {
  const grant = frame.oauth.grantOf(request);
  const person = grant && frame.person(grant.personId);
  if (!grant || !person) throw unauthorized('Athlete', 'access_token');
  // All requests are reads, so every call counts toward both limits.
  const states = frame.limits.take([...readRules, ...allRules], grant.clientId, grant.userId);
  const [reads, all] = [states.slice(0, readRules.length), states.slice(readRules.length)];
  reply.headers({ ...limitHeaders('X-RateLimit', all), ...limitHeaders('X-ReadRateLimit', reads) });
  if (states.some(({ exceeded }) => exceeded))
    throw new StravaRefusal(429, 'Rate Limit Exceeded', {
      resource: 'Application',
      field: reads.some(({ exceeded }) => exceeded) ? 'read rate limit' : 'overall rate limit',
      code: 'exceeded',
    });
  return { grant, life: lifeOf(frame, person) };
}

/** Admits requests that may read activities. */
export function admitToActivities(frame: Frame, request: FastifyRequest, reply: FastifyReply): Admitted {
  const admitted = admit(frame, request, reply);
  if (!readsActivities(admitted.grant))
    throw unauthorized('AccessToken', 'activity:read_permission', 'missing');
  return admitted;
}

/** Whether the user granted access to activities at all. */
export function readsActivities({ scopes }: Grant): boolean {
  return scopes.some((scope) => scope.startsWith('activity:read'));
}

/** Whether the app can also read private activities. */
export function readsPrivate({ scopes }: Grant): boolean {
  return scopes.includes('activity:read_all');
}

/** One query value. A repeated parameter is rejected. */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  if (Array.isArray(value)) throw badRequest('Application', name);
  return value === '' ? undefined : value;
}

/** An integer query parameter within bounds. */
export function queryNumber(
  request: FastifyRequest,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const text = queryValue(request, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw badRequest('Application', name);
  return value;
}

function limitHeaders(name: string, states: LimitState[]): Record<string, string> {
  return {
    [`${name}-Limit`]: states.map(({ calls }) => calls).join(','),
    [`${name}-Usage`]: states.map(({ used }) => used).join(','),
  };
}
