import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Frame } from '../../provider.ts';
import { lifeOf, type Life } from '../life.ts';
import { limitRules } from './policy.ts';
import { DexcomRefusal } from './refusal.ts';

export interface Admitted {
  life: Life;
  /** Differs for each app. */
  userId: string;
}

/** Admits a request that has a valid token and is within the limit. */
export function admit(frame: Frame, request: FastifyRequest): Admitted {
  const grant = frame.oauth.grantOf(request);
  const person = grant && frame.person(grant.personId);
  if (!grant || !person)
    throw new DexcomRefusal(401, 'unauthorized', 'The access token is missing, expired or revoked.');
  const states = frame.limits.take(limitRules, grant.clientId, grant.userId);
  if (states.some(({ exceeded }) => exceeded))
    throw new DexcomRefusal(429, 'too_many_requests', 'Too many requests this hour. Try again later.');
  const userId = createHash('sha256').update(`${grant.userId} at ${grant.clientId}`).digest('hex');
  return { life: lifeOf(frame, person), userId: userId.slice(0, 32) };
}

/** A query time as UTC. Undefined if absent. */
export function queryMoment(request: FastifyRequest, name: string): number | undefined {
  const text = (request.query as Record<string, string | string[] | undefined>)[name];
  if (text === undefined || text === '') return undefined;
  const isMoment = typeof text === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text);
  const moment = isMoment ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(moment))
    throw new DexcomRefusal(
      400,
      'invalid_request',
      `${name} must be a UTC timestamp such as 2026-03-29T04:45:00.`,
    );
  return moment;
}
