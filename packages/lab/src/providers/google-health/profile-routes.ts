import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { dateAt, zoneOn } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import { admit } from './admit.ts';
import { memberSince } from './batches/batches.ts';
import { dateOf, offsetOf } from './wire.ts';

const base = '/health/v4/users/:user';

/** The user's profile. The shape of profiles and devices is not known in more detail. */
export function serveProfile(app: FastifyInstance, frame: Frame): void {
  app.get(`${base}/identity`, (request) => {
    const { grant } = admit(frame, request, null);
    return {
      name: 'users/me/identity',
      healthUserId: grant.userId,
      legacyUserId: fitbitId(grant.userId),
    };
  });
  app.get(`${base}/profile`, (request) => {
    const { life } = admit(frame, request, 'profile');
    return { name: 'users/me/profile', membershipStartDate: dateOf(memberSince(frame, life.person)) };
  });
  app.get(`${base}/settings`, (request) => {
    const { life } = admit(frame, request, 'settings');
    const timeZone = zoneOn(life.person, dateAt(life.person, frame.now()));
    return { name: 'users/me/settings', timeZone, utcOffset: offsetOf(frame.now(), timeZone) };
  });
  app.get(`${base}/pairedDevices`, (request) => {
    admit(frame, request, 'settings');
    return { pairedDevices: [{ name: 'users/me/pairedDevices/1' }] };
  });
}

/** The legacy Fitbit user id of six letters and digits. */
function fitbitId(userId: string): string {
  const digest = createHash('sha256').update(`fitbit ${userId}`).digest();
  return [...digest.subarray(0, 6)].map((byte) => 'ABCDEFGHIJKLMNPQRSTUVWXYZ23456789'[byte % 33]).join('');
}
