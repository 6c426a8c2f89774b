import { randomBytes, randomUUID } from 'node:crypto';
import { sealSdkToken } from '@tributary/server/testing/credentials';
import { parseId } from '@tributary/server/testing/ids';
import type { RunAccount, RunStack } from '@tributary/rig';

/** A user with a session that may upload. */
export interface Person {
  userId: string;
  token: string;
}

const scopes = ['activity', 'sleep', 'vitals', 'body_composition', 'energy', 'nutrition'] as const;

/** Creates users with an active session each, directly in the database, since creating sessions is measured in another benchmark. */
export async function createPeople(
  run: RunStack,
  count: number,
  timezone = 'Europe/Berlin',
): Promise<Person[]> {
  const account = await run.tributary<RunAccount>('account', 'create', '--name', `people-${randomUUID()}`);
  const accountId = parseId('acc', account.account_id)!;
  const { keyring } = run;
  const userIds = Array.from({ length: count }, () => randomUUID());
  const sessionIds = userIds.map(() => randomUUID());
  await run.admin.query({
    text: `INSERT INTO users (id, account_id, environment, reference_id, timezone)
           SELECT id, $2, 'live', id::text, $3 FROM unnest($1::uuid[]) AS u (id)`,
    values: [userIds, accountId, timezone],
  });
  await run.admin.query({
    text: `INSERT INTO sdk_sessions (id, account_id, environment, user_id, status, scopes, refresh_hash, refreshed_at)
           SELECT id, $3, 'live', user_id, 'active', $4, $5, now() FROM unnest($1::uuid[], $2::uuid[]) AS s (id, user_id)`,
    values: [sessionIds, userIds, accountId, scopes, randomBytes(32)],
  });
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + 3600;
  return userIds.map((userId, at) => ({
    userId,
    token: sealSdkToken(
      keyring,
      { tenant: { accountId, environment: 'live' }, userId, sessionId: sessionIds[at]!, scopes },
      expiresAtSeconds,
    ),
  }));
}
