import { limitsOf, type AccountLimits } from '../../account-limits.ts';
import type { Context } from '../../context.ts';
import { findAccount, type Account } from '../../store/accounts/accounts.ts';
import { findUsage, type Usage } from '../../store/accounts/usage.ts';
import { countUsers } from '../../store/dashboard/overview.ts';

export interface Settings {
  account: Account;
  /** Number of users in each environment. */
  users: { live: number; sandbox: number };
  limits: AccountLimits;
  /** Uploads of the current UTC day in each environment. */
  usage: { live: Usage; sandbox: Usage };
}

/** Returns the settings of the account of a signed-in dashboard user. */
export async function readSettings(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  accountId: string,
): Promise<Settings> {
  const today = new Date(ctx.clock.now()).toISOString().slice(0, 10);
  const [stored, live, sandbox, liveUsage, sandboxUsage] = await Promise.all([
    findAccount(ctx.db, accountId),
    countUsers(ctx.db, { accountId, environment: 'live' }),
    countUsers(ctx.db, { accountId, environment: 'sandbox' }),
    findUsage(ctx.db, { accountId, environment: 'live' }, today),
    findUsage(ctx.db, { accountId, environment: 'sandbox' }, today),
  ]);
  const account = stored!; // the account of a signed-in dashboard user exists
  return {
    account,
    users: { live, sandbox },
    limits: limitsOf(ctx.config.limits.account, account),
    usage: { live: liveUsage, sandbox: sandboxUsage },
  };
}

/** Returns the name of the account of a signed-in dashboard user. */
export async function readAccountName(ctx: Pick<Context, 'db'>, accountId: string): Promise<string> {
  return (await findAccount(ctx.db, accountId))!.name;
}
