import { InvalidArgumentError, type Command } from 'commander';
import { overridableLimits, type LimitOverrides } from '../account-limits.ts';
import { ConfigError } from '../config.ts';
import type { Context } from '../context.ts';
import { formatId } from '../ids.ts';
import { updateAccount } from '../services/accounts/update-account.ts';
import { readSettings } from '../services/dashboard/read-settings.ts';
import { findAccount } from '../store/accounts/accounts.ts';
import { operatorAtWork } from './acting.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';

type LimitOptions = { [Name in keyof LimitOverrides]?: number | 'default' };

/** `account limits`: the limits of one account and what it used today. */
export function addLimitsCommand(account: Command): void {
  const limits = addJsonOption(account.command('limits <account-id>')).description(
    'show the limits of an account and its usage today, after setting limits that replace those of the configuration; "default" removes one',
  );
  limits
    .option('--requests-per-second <number>', 'API requests per second of each environment', parseLimit)
    .option('--request-burst <number>', 'API requests that may come at once', parseLimit)
    .option('--uploads-per-day <number>', 'uploads per UTC day of each environment', parseLimit)
    .option('--values-per-day <number>', 'values in uploads per UTC day of each environment', parseLimit)
    .option('--streams <number>', 'open event streams of each environment per process', parseLimit)
    .action(
      withContext(async (ctx, id: string, options: LimitOptions & { json?: boolean }) => {
        const accountId = requireId('acc', id);
        const changes = overridableLimits.flatMap((name) => {
          const value = options[name];
          return value === undefined ? [] : [[name, value === 'default' ? null : value] as const];
        });
        if ((options.requestsPerSecond ?? 1) === 0 || (options.requestBurst ?? 1) === 0)
          throw new ConfigError(
            '--requests-per-second and --request-burst must be at least 1. To stop all requests, suspend the account.',
          );
        if (!(await findAccount(ctx.operator, accountId)))
          throw new ConfigError(`Account ${id} not found. List accounts with \`tributary account list\`.`);
        if (changes.length > 0)
          await updateAccount(ctx, operatorAtWork(), accountId, { limits: Object.fromEntries(changes) });
        await show(ctx, accountId, options);
      }),
    );
}

async function show(ctx: Context, accountId: string, options: { json?: boolean }): Promise<void> {
  const { users, limits, usage } = await readSettings(ctx, accountId);
  const wire = {
    account_id: formatId('acc', accountId),
    requests_per_second: limits.requestsPerSecond,
    request_burst: limits.requestBurst,
    users: limits.users,
    uploads_per_day: limits.uploadsPerDay,
    values_per_day: limits.valuesPerDay,
    streams: limits.streams,
    used: {
      live: { users: users.live, uploads: usage.live.uploads, values: usage.live.values },
      sandbox: { users: users.sandbox, uploads: usage.sandbox.uploads, values: usage.sandbox.values },
    },
  };
  const { live, sandbox } = wire.used;
  const rows = [
    row('requests per second', limits.requestsPerSecond),
    row('request burst', limits.requestBurst),
    row('users', limits.users, [live.users, sandbox.users]),
    row('uploads per day', limits.uploadsPerDay, [live.uploads, sandbox.uploads]),
    row('values per day', limits.valuesPerDay, [live.values, sandbox.values]),
    row('streams per process', limits.streams),
  ];
  print(options, wire, table(['LIMIT OF EACH ENVIRONMENT', 'LIMIT', 'LIVE', 'SANDBOX'], rows));
}

function row(name: string, limit: number | null, used: readonly number[] = []): string[] {
  return [name, String(limit ?? 'none'), ...used.map(String)];
}

function parseLimit(value: string): number | 'default' {
  if (value === 'default') return 'default';
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 0 || limit > 1_000_000_000_000)
    throw new InvalidArgumentError('It must be a whole number or "default".');
  return limit;
}
