import type { RunStack } from '../../bench/service.ts';
import { systemClock } from '../../packages/server/src/clock.ts';
import { createIdSource } from '../../packages/server/src/ids.ts';
import { createAccount } from '../../packages/server/src/services/accounts/create-account.ts';
import type { Tenant } from '../../packages/server/src/store/tenant.ts';
import { testActor } from '../../packages/server/src/test/acting.ts';

/** Whose feed is written and read. */
export interface FeedTenant extends Tenant {
  key: string;
}

/** The two environments of so many new accounts. */
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
