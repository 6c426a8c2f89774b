import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database.ts';
import { insertAccount, type Account } from '../../store/accounts.ts';
import { insertApiKey, type NewApiKey } from '../api-keys/insert-api-key.ts';

/** Creates an account with a live and a sandbox key. The keys are shown here and never again. */
export function createAccount(
  ctx: Pick<Context, 'operator' | 'newId'>,
  input: { name: string },
): Promise<{ account: Account; live: NewApiKey; sandbox: NewApiKey }> {
  return inTransaction(ctx.operator, async (tx) => {
    const account = await insertAccount(tx, { id: ctx.newId(), name: input.name });
    const live = await insertApiKey(tx, ctx.newId(), account.id, 'live');
    const sandbox = await insertApiKey(tx, ctx.newId(), account.id, 'sandbox');
    return { account, live, sandbox };
  });
}
