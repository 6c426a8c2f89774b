import type { Context } from '../../context.ts';
import { updateAccount as update, type Account, type AccountChanges } from '../../store/accounts.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

/** Changes an account, on every node within a second; null when there is no such account. */
export async function updateAccount(
  ctx: Pick<Context, 'operator' | 'broker'>,
  id: string,
  changes: AccountChanges,
): Promise<Account | null> {
  const account = await update(ctx.operator, id, changes);
  announceCredentialChange(ctx);
  return account;
}
