import type { RunStack } from '../run-stack.ts';
import { createIdSource, systemClock } from '@tributary/server/testing/ids';
import { createAccount } from '@tributary/server/testing/accounts';
import { type Tenant, testActor } from '@tributary/server/testing/database';

/** A tenant whose feed is written and read. */
export interface FeedTenant extends Tenant {
  key: string;
}

/** Creates accounts and returns both environments of each. */
export async function createTenants({ admin }: RunStack, accounts: number): Promise<FeedTenant[]> {
  const ctx = { operator: admin, newId: createIdSource(systemClock) };
  const tenants: FeedTenant[] = [];
  for (let at = 0; at < accounts; at += 1) {
    const { account, live, sandbox } = await createAccount(ctx, testActor, { name: `Feed ${at}` });
    tenants.push(
      { accountId: account.id, environment: 'live', key: live.secret },
      { accountId: account.id, environment: 'sandbox', key: sandbox.secret },
    );
  }
  return tenants;
}
