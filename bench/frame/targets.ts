import type { RunStack } from '@tributary/rig';
import { createAccount, insertUser } from '@tributary/server/testing/accounts';
import { openPool, testActor } from '@tributary/server/testing/database';
import { createIdSource, systemClock } from '@tributary/server/testing/ids';

/** A user with the live key of its account. */
export interface Target {
  account: string;
  user: string;
  key: string;
}

/** Creates this number of accounts with one user each. */
export async function createTargets({ admin, stack }: RunStack, count: number): Promise<Target[]> {
  const operator = openPool({
    url: stack.engines.databaseUrl,
    role: 'operator',
    max: 4,
    statementTimeoutMs: 10_000,
    applicationName: 'bench',
  });
  const newId = createIdSource(systemClock);
  const targets: Target[] = [];
  for (let at = 0; at < count; at += 1) {
    const { account, live } = await createAccount({ operator, newId }, testActor, { name: `Bench ${at}` });
    const user = newId();
    const tenant = { accountId: account.id, environment: 'live' } as const;
    await insertUser(operator, tenant, {
      id: user,
      referenceId: 'bench',
      timezone: 'Europe/Berlin',
      profile: { sex: 'other' },
      sandbox: null,
    });
    targets.push({ account: account.id, user, key: live.secret });
  }
  await operator.end();
  await admin.query('ANALYZE');
  return targets;
}
