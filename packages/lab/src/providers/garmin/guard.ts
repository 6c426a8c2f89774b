import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from '../../people/person.ts';
import type { Frame, Grant } from '../../provider.ts';

/** That it is 100 a minute, and of the app, comes from one source. */
const rules = [{ calls: 100, windowSeconds: 60, per: 'app' }] as const;

/** Says no as Garmin does; the name of the field comes from clients alone. */
export function refuse(reply: FastifyReply, status: number, errorMessage: string): FastifyReply {
  return reply.code(status).send({ errorMessage });
}

/** Who a request is about, if its token is good and the app has not asked too much; answers otherwise. */
export function whoAsks(
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
