import type { Context } from '../../context.ts';
import { findAccount, type Account } from '../../store/accounts/accounts.ts';
import { countUsers } from '../../store/dashboard/overview.ts';

export interface Settings {
  account: Account;
  /** Number of users in each environment. */
  users: { live: number; sandbox: number };
}

/** Returns the settings of the account of a signed-in dashboard user. */
export async function readSettings(ctx: Pick<Context, 'db'>, accountId: string): Promise<Settings> {
  const [account, live, sandbox] = await Promise.all([
    findAccount(ctx.db, accountId),
    countUsers(ctx.db, { accountId, environment: 'live' }),
    countUsers(ctx.db, { accountId, environment: 'sandbox' }),
  ]);
  return { account: account!, users: { live, sandbox } }; // the account of a signed-in dashboard user exists
}

/** Returns the name of the account of a signed-in dashboard user. */
export async function readAccountName(ctx: Pick<Context, 'db'>, accountId: string): Promise<string> {
  return (await findAccount(ctx.db, accountId))!.name;
}
