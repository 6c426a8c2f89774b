import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import {
  lockAccount,
  updateAccount as update,
  type Account,
  type AccountChanges,
} from '../../store/accounts/accounts.ts';
import { inTransaction } from '../../store/database/database.ts';
import { changedFields, describeChange } from '../audit/changed-fields.ts';
import { record } from '../audit/record.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

/** Updates an account. Every node applies the change within a second. Returns null if the account does not exist. */
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
    // The contact email may be a personal address, so the audit log names the field without its value.
    const fieldsWithValues = fields.filter((field) => field !== 'contact_email');
    if (fields.length > 0)
      await record(
        ctx,
        tx,
        { accountId: id, environment: null, actor },
        {
          action: 'account.updated',
          target: { type: 'account', id: formatId('acc', id) },
          data: { fields, ...describeChange(...settings, fieldsWithValues) },
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
    requests_per_second: account.limits.requestsPerSecond ?? null,
    request_burst: account.limits.requestBurst ?? null,
    uploads_per_day: account.limits.uploadsPerDay ?? null,
    values_per_day: account.limits.valuesPerDay ?? null,
    streams: account.limits.streams ?? null,
    sync_interval: account.syncIntervalSeconds,
    organization_name: account.organizationName,
    contact_email: account.contactEmail,
    redirect_urls: account.redirectUrls.join(' '),
    require_authenticator: account.requireAuthenticator,
  };
}
