import type { FastifyInstance } from 'fastify';
import { dateAt } from '../../world/people/local-time.ts';
import type { Person } from '../../world/people/person.ts';
import type { Frame } from '../../provider.ts';
import { lastWeightKg } from '../life.ts';
import { admit } from './admit.ts';

/** The user's profile and body measurements. */
export function serveProfile(app: FastifyInstance, frame: Frame): void {
  app.get('/developer/v2/user/profile/basic', (request, reply) => {
    const { grant, life } = admit(frame, request, reply, 'read:profile');
    const [firstName = '', ...lastNames] = life.person.name.split(' ');
    return reply.send({
      user_id: Number(grant.userId),
      email: life.person.email,
      first_name: firstName,
      last_name: lastNames.join(' '),
    });
  });
  app.get('/developer/v2/user/measurement/body', (request, reply) => {
    const { life } = admit(frame, request, reply, 'read:body_measurement');
    const weight = lastWeightKg(life, frame.now());
    return reply.send({
      height_meter: life.person.heightM,
      ...(weight !== null && { weight_kilogram: weight }),
      max_heart_rate: highestHeartRate(life.person, dateAt(life.person, frame.now())),
    });
  });
}

/** Estimated from the person's age. */
function highestHeartRate(person: Person, today: string): number {
  return Math.round(208 - 0.7 * (Number(today.slice(0, 4)) - Number(person.birthDate.slice(0, 4))));
}
