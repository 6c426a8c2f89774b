import { InvalidArgumentError, type Command } from 'commander';
import { formatId } from '../ids.ts';
import { listLargestUse } from '../store/accounts/usage.ts';
import { addJsonOption, print, table, withContext } from './command.ts';

/** Waiting uploads are counted up to this number, so that the command is fast while a backlog is long. */
const mostWaiting = 100_000;

/** `account usage`: which accounts cause the load. */
export function addUsageCommand(account: Command): void {
  addJsonOption(account.command('usage'))
    .description(
      'list the accounts with the most uploads, and how many of their uploads wait to be processed',
    )
    .option('--days <number>', 'UTC days to add up, today included, 1 to 400', parseNumber(400), 1)
    .option('--top <number>', 'accounts to list, 1 to 1000', parseNumber(1_000), 20)
    .action(
      withContext(async (ctx, { days, top, json }: { days: number; top: number; json?: boolean }) => {
        const accounts = await listLargestUse(ctx.operator, { days, limit: top, mostWaiting });
        const rows = accounts.map(({ accountId, uploads, values, waiting, name }) => {
          return { account_id: formatId('acc', accountId), uploads, values, waiting, name };
        });
        const lines = rows.map((row) => Object.values(row).map(String));
        print(
          { ...(json && { json }) },
          rows,
          table(['ACCOUNT', 'UPLOADS', 'VALUES', 'WAITING', 'NAME'], lines),
        );
      }),
    );
}

function parseNumber(most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= 1 && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };
}
