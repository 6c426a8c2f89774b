import { Option, type Command } from 'commander';
import { ConfigError } from '../config.ts';
import { formatId } from '../ids.ts';
import { createApiKey } from '../services/api-keys/create-api-key.ts';
import { revokeApiKey } from '../services/api-keys/revoke-api-key.ts';
import { listApiKeys, type ApiKey } from '../store/accounts/api-keys.ts';
import type { Environment } from '../store/database/tenant.ts';
import { operatorAtWork } from './acting.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';

interface Json {
  json?: boolean;
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('manage API keys');

  addJsonOption(key.command('create'))
    .description(
      'create the API key of an environment (shown once); the previous key becomes invalid on all nodes within one second',
    )
    .requiredOption('--account <account-id>', 'account id')
    .addOption(
      new Option('--environment <name>', 'environment of the key')
        .choices(['live', 'sandbox'])
        .makeOptionMandatory(),
    )
    .action(
      withContext(async (ctx, options: Json & { account: string; environment: Environment }) => {
        const accountId = requireId('acc', options.account);
        const created = await createApiKey(ctx, operatorAtWork(), {
          accountId,
          environment: options.environment,
        }).catch((error: { code?: string }) => {
          if (error.code === '23503')
            throw new ConfigError(
              `Account ${options.account} not found. List accounts with \`tributary account list\`.`,
            );
          throw error;
        });
        const shown = { ...toPrintable(created), key: created.secret };
        print(
          options,
          shown,
          `${created.secret}\n${shown.key_id}, valid until ${shown.expires_at}. Save the key now: it is not shown again.`,
        );
      }),
    );

  addJsonOption(key.command('list'))
    .description('list API keys of an account, newest first')
    .requiredOption('--account <account-id>', 'account id')
    .action(
      withContext(async (ctx, options: Json & { account: string }) => {
        const keys = (await listApiKeys(ctx.operator, requireId('acc', options.account))).map(toPrintable);
        const rows = keys.map((row) => [row.key_id, row.environment, row.hint, row.status, row.expires_at]);
        print(options, keys, table(['KEY', 'ENVIRONMENT', 'HINT', 'STATUS', 'EXPIRES'], rows));
      }),
    );

  addJsonOption(key.command('revoke <key-id>'))
    .description('revoke an API key on all nodes within one second')
    .action(
      withContext(async (ctx, id: string, options: Json) => {
        const revoked = await revokeApiKey(ctx, operatorAtWork(), requireId('key', id));
        if (!revoked)
          throw new ConfigError(`API key ${id} not found. List keys with \`tributary key list\`.`);
        print(options, toPrintable(revoked), `Revoked ${id}.`);
      }),
    );
}

function toPrintable(key: ApiKey) {
  return {
    key_id: formatId('key', key.id),
    account_id: formatId('acc', key.accountId),
    environment: key.environment,
    hint: key.hint,
    status: key.revokedAt === null ? 'active' : 'revoked',
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  };
}
