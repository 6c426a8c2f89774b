import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import { insertAccount, type Account } from '../../store/accounts/accounts.ts';
import { insertApiKey, type NewApiKey } from '../api-keys/insert-api-key.ts';
import { record } from '../audit/record.ts';

/** Creates an account with a live and a sandbox key. The keys are returned only here. */
export function createAccount(
  ctx: Pick<Context, 'operator' | 'newId'>,
  actor: Actor,
  { name, organizationName = null }: { name: string; organizationName?: string | null },
): Promise<{ account: Account; live: NewApiKey; sandbox: NewApiKey }> {
  return inTransaction(ctx.operator, async (tx) => {
    const account = await insertAccount(tx, { id: ctx.newId(), name, organizationName });
    const acting = { accountId: account.id, environment: null, actor };
    await record(ctx, tx, acting, {
      action: 'account.created',
      target: { type: 'account', id: formatId('acc', account.id) },
      data: { name, organization_name: organizationName },
    });
    const live = await insertApiKey(ctx, tx, acting, 'live');
    const sandbox = await insertApiKey(ctx, tx, acting, 'sandbox');
    return { account, live, sandbox };
  });
}
