import { randomBytes } from 'node:crypto';
import type { Random, RunAccount, RunStack } from '@tributary/rig';
import { sealSdkToken } from '@tributary/server/testing/credentials';
import { parseId } from '@tributary/server/testing/ids';
import { personaOf, type Persona } from './personas.ts';

/** A user with a session that may upload. */
export interface Person {
  userAt: number;
  userId: string;
  token: string;
  persona: Persona;
}

const scopes = ['activity', 'sleep', 'vitals', 'body_composition', 'energy', 'nutrition'] as const;

/** Creates users with an active session each, directly in the database. Their ids, and so their partitions, depend only on the seed. */
export async function createPeople(run: RunStack, count: number, random: Random): Promise<Person[]> {
  const account = await run.tributary<RunAccount>('account', 'create', '--name', 'Chaos');
  const accountId = parseId('acc', account.account_id)!;
  const { keyring } = run;
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + 4 * 3600;
  const people = Array.from({ length: count }, (_, userAt) => {
    const [userId, sessionId] = [random.uuid(), random.uuid()];
    const identity = { tenant: { accountId, environment: 'live' as const }, userId, sessionId, scopes };
    const token = sealSdkToken(keyring, identity, expiresAtSeconds);
    return { userAt, userId, sessionId, token, persona: personaOf(userAt) };
  });
  await run.admin.query({
    text: `INSERT INTO users (id, account_id, environment, reference_id, timezone)
           SELECT id, $2, 'live', id::text, timezone FROM unnest($1::uuid[], $3::text[]) AS u (id, timezone)`,
    values: [people.map(({ userId }) => userId), accountId, people.map(({ persona }) => persona.timezone)],
  });
  await run.admin.query({
    text: `INSERT INTO sdk_sessions (id, account_id, environment, user_id, status, scopes, refresh_hash, refreshed_at)
           SELECT id, $3, 'live', user_id, 'active', $4, $5, now() FROM unnest($1::uuid[], $2::uuid[]) AS s (id, user_id)`,
    values: [
      people.map(({ sessionId }) => sessionId),
      people.map(({ userId }) => userId),
      accountId,
      scopes,
      randomBytes(32),
    ],
  });
  return people;
}
