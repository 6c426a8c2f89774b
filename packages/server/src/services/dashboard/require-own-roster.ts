import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { requireRoster } from '../roster/require-roster.ts';

/** Like `requireRoster`, for the account of a signed-in dashboard user. Throws `payment_required` if the account is suspended. */
export async function requireOwnRoster(
  ctx: Pick<Context, 'db' | 'config'>,
  accountId: string,
): Promise<void> {
  const account = (await findAccount(ctx.db, accountId))!; // the account of a signed-in dashboard user exists
  if (account.status === 'suspended') throw new ApiError('payment_required');
  requireRoster(ctx, account);
}
