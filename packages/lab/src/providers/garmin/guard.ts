import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from '../../world/people/person.ts';
import type { Frame, Grant } from '../../provider.ts';

/** The limit of 100 calls a minute, and that it applies to the app, come from a single source. */
const rules = [{ calls: 100, windowSeconds: 60, per: 'app' }] as const;

/** Responds with an error as Garmin does. The field name is only known from clients. */
export function refuse(reply: FastifyReply, status: number, errorMessage: string): FastifyReply {
  return reply.code(status).send({ errorMessage });
}

/** The grant of a request, if its token is valid and the app is within its limit. Otherwise it sends the error response. */
export function admit(
  frame: Frame,
  request: FastifyRequest,
  reply: FastifyReply,
): { grant: Grant; person: Person } | null {
  const grant = frame.oauth.grantOf(request);
  const person = grant && frame.person(grant.personId);
  if (!grant || !person) {
    refuse(reply, 401, 'The access token is missing, expired or revoked.');
    return null;
  }
  if (frame.limits.take(rules, grant.clientId, grant.userId).some((state) => state.exceeded)) {
    refuse(reply, 429, 'Too many requests.');
    return null;
  }
  return { grant, person };
}
