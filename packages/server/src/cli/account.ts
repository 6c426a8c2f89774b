import { InvalidArgumentError, Option, type Command } from 'commander';
import { ConfigError } from '../config.ts';
import type { Context } from '../context.ts';
import { formatId } from '../ids.ts';
import {
  accountFields,
  hasTooManyRedirects,
  mostRedirectUrls,
  spellRedirect,
} from '../services/accounts/account-fields.ts';
import { createAccount } from '../services/accounts/create-account.ts';
import { updateAccount } from '../services/accounts/update-account.ts';
import { createJoinLink } from '../services/operators/invite-colleague.ts';
import { listAccounts, type Account, type AccountChanges } from '../store/accounts/accounts.ts';
import { operatorAtWork } from './acting.ts';
import { addLimitsCommand } from './account-limits.ts';
import { addUsageCommand } from './account-usage.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';

interface Json {
  json?: boolean;
}

interface CreateOptions extends Json {
  name: string;
  organization?: string;
  addRedirectUrl?: string[];
}

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('manage accounts and their settings');
  addCreateCommand(account);
  addListCommand(account);
  addStatusCommands(account);
  addSetCommand(account);
  addLimitsCommand(account);
  addUsageCommand(account);
}

function addCreateCommand(account: Command): void {
  addJsonOption(account.command('create'))
    .description('create an account with a live and a sandbox API key (shown once)')
    .requiredOption('--name <name>', 'display name, 1 to 200 characters', parseName)
    .option(
      '--organization <name>',
      'organization name shown to people asked to share data, 1 to 100 characters',
      parseOrganization,
    )
    .option(
      '--add-redirect-url <url>',
      'URL that users may be redirected to after connecting a device (repeatable)',
      addRedirect,
    )
    .action(
      withContext(async (ctx, options: CreateOptions) => {
        const { name, organization = 'none', addRedirectUrl: addRedirectUrls } = options;
        const result = await createAccount(ctx, operatorAtWork(), {
          name,
          organizationName: orNull(organization),
        });
        const { account: created, live, sandbox } = result;
        const id = formatId('acc', created.id);
        const ownerUrl = await createJoinLink(ctx, operatorAtWork(), {
          accountId: created.id,
          email: null,
          role: 'owner',
        });
        if (addRedirectUrls) await updateAccount(ctx, operatorAtWork(), created.id, { addRedirectUrls });
        print(
          options,
          {
            account_id: id,
            name: created.name,
            live_key: live.secret,
            sandbox_key: sandbox.secret,
            owner_url: ownerUrl,
          },
          `Account ${id} (${created.name})\n  live key     ${live.secret}\n  sandbox key  ${sandbox.secret}\n  dashboard    ${ownerUrl}\nSave the keys now: they are not shown again. The dashboard link makes the person who opens it the owner. It works once and expires in 24 hours.`,
        );
      }),
    );
}

function addListCommand(account: Command): void {
  addJsonOption(account.command('list'))
    .description('list all accounts')
    .action(
      withContext(async (ctx, options: Json) => {
        const accounts = (await listAccounts(ctx.operator)).map(toPrintable);
        const rows = accounts.map((row) => [
          row.account_id,
          row.status,
          String(row.default_form),
          String(row.user_limit ?? 'none'),
          row.name,
        ]);
        print(options, accounts, table(['ACCOUNT', 'STATUS', 'FORM', 'USER LIMIT', 'NAME'], rows));
      }),
    );
}

function addStatusCommands(account: Command): void {
  addJsonOption(account.command('suspend <account-id>'))
    .description(
      'suspend an account: every request except DELETE and the Mobile SDK gets a 402 response, on all nodes within one second',
    )
    .action(
      withContext((ctx, id: string, options: Json) => change(ctx, id, { status: 'suspended' }, options)),
    );

  addJsonOption(account.command('resume <account-id>'))
    .description('resume a suspended account')
    .action(withContext((ctx, id: string, options: Json) => change(ctx, id, { status: 'active' }, options)));
}

function addSetCommand(account: Command): void {
  addJsonOption(account.command('set <account-id>'))
    .description('change account settings')
    .option('--name <name>', 'display name', parseName)
    .addOption(
      new Option('--default-form <form>', 'response form for requests that do not specify one').choices([
        '1',
        '2',
      ]),
    )
    .option(
      '--user-limit <number>',
      'maximum number of users per environment; "none" removes the limit',
      parseUserLimit,
    )
    .option(
      '--sync-interval <seconds>',
      'how often phones should upload, 60 to 86400; 900 unless set',
      parseSyncInterval,
    )
    .option(
      '--organization <name>',
      'organization name shown to people asked to share data, 1 to 100 characters; "none" clears it',
      parseOrganization,
    )
    .option(
      '--contact <email>',
      'contact email shown to people asked to share data; "none" clears it',
      parseContact,
    )
    .option(
      '--add-redirect-url <url>',
      'URL that users may be redirected to after connecting a device (repeatable)',
      addRedirect,
    )
    .option('--remove-redirect-url <url>', 'redirect URL to remove (repeatable)', removeRedirect)
    .action(
      withContext(
        (
          ctx,
          id: string,
          options: Json & {
            name?: string;
            defaultForm?: '1' | '2';
            userLimit?: number | 'none';
            syncInterval?: number;
            organization?: string;
            contact?: string;
            addRedirectUrl?: string[];
            removeRedirectUrl?: string[];
          },
        ) => {
          const changes: AccountChanges = {
            ...(options.name === undefined ? {} : { name: options.name }),
            ...(options.defaultForm === undefined
              ? {}
              : { defaultForm: options.defaultForm === '1' ? 1 : 2 }),
            ...(options.userLimit === undefined
              ? {}
              : { userLimit: options.userLimit === 'none' ? null : options.userLimit }),
            ...(options.syncInterval === undefined ? {} : { syncIntervalSeconds: options.syncInterval }),
            ...(options.organization === undefined ? {} : { organizationName: orNull(options.organization) }),
            ...(options.contact === undefined ? {} : { contactEmail: orNull(options.contact) }),
            ...(options.addRedirectUrl && { addRedirectUrls: options.addRedirectUrl }),
            ...(options.removeRedirectUrl && { removeRedirectUrls: options.removeRedirectUrl }),
          };
          if (Object.keys(changes).length === 0)
            throw new ConfigError(
              'Nothing to set. Pass at least one of --name, --default-form, --user-limit, --sync-interval, --organization, --contact, --add-redirect-url or --remove-redirect-url.',
            );
          return change(ctx, id, changes, options);
        },
      ),
    );
}

async function change(ctx: Context, id: string, changes: AccountChanges, options: Json): Promise<void> {
  const account = await updateAccount(ctx, operatorAtWork(), requireId('acc', id), changes).catch(
    (error: unknown) => {
      if (hasTooManyRedirects(error))
        throw new ConfigError(
          `An account can have at most ${mostRedirectUrls} redirect URLs. Remove some with --remove-redirect-url.`,
        );
      throw error;
    },
  );
  if (!account)
    throw new ConfigError(`Account ${id} not found. List accounts with \`tributary account list\`.`);
  const shown = toPrintable(account);
  print(
    options,
    shown,
    `Account ${id} (${shown.name}): ${shown.status}, default form ${shown.default_form}, user limit ${shown.user_limit ?? 'none'}, sync interval ${shown.sync_interval_seconds} s, organization ${shown.organization_name ?? 'none'}, contact ${shown.contact_email ?? 'none'}, redirect URLs ${shown.redirect_urls.join(' ') || 'none'}`,
  );
}

function toPrintable(account: Account) {
  return {
    account_id: formatId('acc', account.id),
    name: account.name,
    status: account.status,
    default_form: account.defaultForm,
    user_limit: account.userLimit,
    sync_interval_seconds: account.syncIntervalSeconds,
    organization_name: account.organizationName,
    contact_email: account.contactEmail,
    redirect_urls: account.redirectUrls,
    created_at: account.createdAt,
  };
}

function parseName(value: string): string {
  return read('name', value);
}

function parseUserLimit(value: string): number | 'none' {
  if (value === 'none') return 'none';
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 0 || limit > 2_147_483_647)
    throw new InvalidArgumentError('It must be a whole number or "none".');
  return limit;
}

function parseSyncInterval(value: string): number {
  const seconds = accountFields.syncIntervalSeconds.read(Number(value));
  if (seconds === null) throw new InvalidArgumentError(`It ${accountFields.syncIntervalSeconds.rule}.`);
  return seconds;
}

function orNull(value: string): string | null {
  return value === 'none' ? null : value;
}

function parseOrganization(value: string): string {
  return read('organizationName', value, ', or be "none"');
}

function parseContact(value: string): string {
  return value.trim() === 'none' ? 'none' : read('contactEmail', value, ', or "none"');
}

function addRedirect(value: string, before: string[] = []): string[] {
  return [...before, read('redirectUrl', value)];
}

function removeRedirect(value: string, before: string[] = []): string[] {
  return [...before, spellRedirect(value)];
}

function read(
  field: 'name' | 'organizationName' | 'contactEmail' | 'redirectUrl',
  value: string,
  orElse = '',
): string {
  const { read: readField, rule } = accountFields[field];
  const parsedValue = readField(value);
  if (parsedValue === null) throw new InvalidArgumentError(`It ${rule}${orElse}.`);
  return parsedValue;
}
