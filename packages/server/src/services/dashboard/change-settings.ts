import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { Actor } from '../../store/audit/actor.ts';
import type { AccountChanges } from '../../store/accounts/accounts.ts';
import {
  accountFields,
  hasTooManyRedirects,
  mostRedirectUrls,
  spellRedirect,
} from '../accounts/account-fields.ts';
import { updateAccount } from '../accounts/update-account.ts';

/** The requested changes, with wire field names. Null clears a field. */
export interface SettingsInput {
  name?: string;
  default_form?: number;
  organization_name?: string | null;
  contact_email?: string | null;
  sync_interval_seconds?: number;
  require_authenticator?: boolean;
  add_redirect_urls?: string[];
  remove_redirect_urls?: string[];
}

/** Changes account settings by the same rules as the command line. Throws `invalid_request` with the field and its rule. */
export async function changeSettings(
  ctx: Pick<Context, 'operator' | 'broker' | 'newId'>,
  actor: Actor,
  accountId: string,
  input: SettingsInput,
): Promise<void> {
  await updateAccount(ctx, actor, accountId, readChanges(input)).catch((error: unknown) => {
    if (hasTooManyRedirects(error))
      throw refuse('add_redirect_urls', `must leave at most ${mostRedirectUrls} redirect URLs in total`);
    throw error;
  });
}

function readChanges(input: SettingsInput): AccountChanges {
  const changes: AccountChanges = {};
  if (input.name !== undefined) changes.name = read('name', accountFields.name, input.name);
  if (input.default_form !== undefined) changes.defaultForm = input.default_form === 1 ? 1 : 2;
  if (input.organization_name !== undefined)
    changes.organizationName = readOrClear(
      'organization_name',
      accountFields.organizationName,
      input.organization_name,
    );
  if (input.contact_email !== undefined)
    changes.contactEmail = readOrClear('contact_email', accountFields.contactEmail, input.contact_email);
  if (input.sync_interval_seconds !== undefined)
    changes.syncIntervalSeconds = read(
      'sync_interval_seconds',
      accountFields.syncIntervalSeconds,
      input.sync_interval_seconds,
    );
  if (input.require_authenticator !== undefined) changes.requireAuthenticator = input.require_authenticator;
  if (input.add_redirect_urls)
    changes.addRedirectUrls = input.add_redirect_urls.map((url) =>
      read('add_redirect_urls', accountFields.redirectUrl, url),
    );
  if (input.remove_redirect_urls) changes.removeRedirectUrls = input.remove_redirect_urls.map(spellRedirect);
  return changes;
}

interface Field<T> {
  read: (input: T) => T | null;
  rule: string;
}

function read<T>(name: string, field: Field<T>, input: T): T {
  const value = field.read(input);
  if (value === null) throw refuse(name, field.rule);
  return value;
}

function readOrClear(name: string, field: Field<string>, input: string | null): string | null {
  return input === null ? null : read(name, field, input);
}

function refuse(name: string, problem: string): ApiError {
  return new ApiError('invalid_request', {
    message: `Body field \`${name}\` ${problem}.`,
    details: { fields: [{ in: 'body', name, problem }] },
  });
}
