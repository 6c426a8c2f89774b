import type { FastifyInstance } from 'fastify';
import { dateAt } from '../../people/local-time.ts';
import type { Person } from '../../people/person.ts';
import type { Frame } from '../../provider.ts';
import { lastWeightKg } from '../life.ts';
import { admit } from './admit.ts';

/** Who the user is, and their body. */
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

/** By the years of the person, as long as nobody says otherwise. */
function highestHeartRate(person: Person, today: string): number {
  return Math.round(208 - 0.7 * (Number(today.slice(0, 4)) - Number(person.birthDate.slice(0, 4))));
}
