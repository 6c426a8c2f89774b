import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/acting.ts';
import {
  lockAccount,
  updateAccount as update,
  type Account,
  type AccountChanges,
} from '../../store/accounts.ts';
import { inTransaction } from '../../store/database.ts';
import { changedFields, describeChange } from '../audit/changed-fields.ts';
import { record } from '../audit/record.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

/** Changes an account, on every node within a second; null when there is no such account. */
export async function updateAccount(
  ctx: Pick<Context, 'operator' | 'broker' | 'newId'>,
  actor: Actor,
  id: string,
  changes: AccountChanges,
): Promise<Account | null> {
  const account = await inTransaction(ctx.operator, async (tx) => {
    const [before, after] = await Promise.all([lockAccount(tx, id), update(tx, id, changes)]);
    if (!before || !after) return null;
    const settings = [before, after].map(settingsOf) as [Settings, Settings];
    const fields = changedFields(...settings);
    // Where people can write to may be somebody's own address.
    const told = fields.filter((field) => field !== 'contact_email');
    if (fields.length > 0)
      await record(
        ctx,
        tx,
        { accountId: id, environment: null, actor },
        {
          action: 'account.updated',
          target: { type: 'account', id: formatId('acc', id) },
          data: { fields, ...describeChange(...settings, told) },
        },
      );
    return after;
  });
  announceCredentialChange(ctx);
  return account;
}

type Settings = Record<string, unknown>;

function settingsOf(account: Account): Settings {
  return {
    name: account.name,
    status: account.status,
    default_form: account.defaultForm,
    user_limit: account.userLimit,
    sync_interval: account.syncIntervalSeconds,
    organization_name: account.organizationName,
    contact_email: account.contactEmail,
    redirect_urls: account.redirectUrls.join(' '),
  };
}
