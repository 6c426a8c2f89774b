import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Frame, Grant } from '../../provider.ts';
import { lastWeightKg, type Life } from '../life.ts';
import { admit, admitUser } from './admit.ts';
import { PolarRefusal } from './refusal.ts';
import type { Registration, Registry } from './registry.ts';

interface ById {
  Params: { id: string };
}

/** Registers and deletes users. Deletion ends their tokens. */
export function serveUsers(app: FastifyInstance, frame: Frame, registry: Registry): void {
  const profileOf = (grant: Grant, life: Life, { memberId, at }: Registration) => {
    const [firstName = '', ...lastNames] = life.person.name.split(' ');
    const weight = lastWeightKg(life, frame.now());
    return {
      'polar-user-id': Number(grant.userId),
      'member-id': memberId,
      'registration-date': new Date(at).toISOString(),
      'first-name': firstName,
      'last-name': lastNames.join(' '),
      birthdate: life.person.birthDate,
      ...(weight !== null && { weight }),
      height: life.person.heightM * 100,
    };
  };
  const checkOwn = (request: FastifyRequest<ById>, grant: Grant): void => {
    if (request.params.id !== grant.userId) throw new PolarRefusal(403, 'The token belongs to another user.');
  };

  app.post('/www/v3/users', (request, reply) => {
    const { grant, life } = admitUser(frame, registry, request, reply);
    const body = (request.body ?? {}) as Record<string, unknown>;
    return profileOf(grant, life, registry.add(grant, body['member-id']));
  });
  app.get<ById>('/www/v3/users/:id', (request, reply) => {
    const { grant, life, registration } = admit(frame, registry, request, reply);
    checkOwn(request, grant);
    return profileOf(grant, life, registration);
  });
  app.delete<ById>('/www/v3/users/:id', (request, reply) => {
    const { grant } = admit(frame, registry, request, reply);
    checkOwn(request, grant);
    frame.oauth.revoke(grant.id);
    return reply.code(204).send();
  });
}
