import { currentRecipe, recipeVersions, type RecipeDifference, type RecipeVersion } from '@tributary/domain';
import { InvalidArgumentError, type Command } from 'commander';
import { ConfigError } from '../config.ts';
import type { Context } from '../context.ts';
import { findAccount } from '../store/accounts/accounts.ts';
import { listUsersNamed } from '../store/sandbox/lookup.ts';
import type { ScoredUserFilter } from '../store/scores/scored-users.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';

interface BacktestOptions {
  json?: boolean;
  account?: string;
  user?: string;
  from: RecipeVersion;
  to: RecipeVersion;
}

export function addScoreCommands(program: Command): void {
  const scores = program.command('scores').description('compare versions of the score formulas');
  const known = recipeVersions.join(' or ');
  addJsonOption(scores.command('backtest'))
    .description(
      'compare two recipes over the stored days of all users, one account or one user; writes nothing and prints no single values',
    )
    .option('--account <account-id>', 'only users of this account')
    .option('--user <user-id>', 'only this user')
    .option('--from <recipe>', `recipe to compare with: ${known}`, readRecipe, 1)
    .option('--to <recipe>', `recipe to compare: ${known}`, readRecipe, currentRecipe)
    .action(
      withContext(async (ctx, options: BacktestOptions) => {
        // Imported lazily so that other commands do not load all scoring code.
        const { backtestRecipes } = await import('../services/scores/backtest-recipes.ts');
        const { from: first, to: second } = options;
        const filter = await readFilter(ctx, options);
        const { users, scores: results } = await backtestRecipes(ctx, { first, second, ...filter });
        const shown = { from: first, to: second, users, scores: results.map(toPrintable) };
        print(options, shown, describe(options, users, results));
      }),
    );
}

async function readFilter(
  { operator }: Pick<Context, 'operator'>,
  { account, user }: BacktestOptions,
): Promise<ScoredUserFilter> {
  const accountId = account === undefined ? null : requireId('acc', account);
  const userId = user === undefined ? null : requireId('user', user);
  if (accountId !== null && !(await findAccount(operator, accountId)))
    throw new ConfigError(`Account ${account} not found. List accounts with \`tributary account list\`.`);
  const named = userId === null ? [] : await listUsersNamed(operator, { userId });
  const isThere = named.some((one) => accountId === null || one.accountId === accountId);
  if (userId !== null && !isThere)
    throw new ConfigError(
      `User ${user} not found in ${account === undefined ? 'any account' : `account ${account}`}.`,
    );
  return { accountId, userId };
}

function readRecipe(text: string): RecipeVersion {
  const version = recipeVersions.find((one) => String(one) === text);
  if (version === undefined) throw new InvalidArgumentError(`It must be ${recipeVersions.join(' or ')}.`);
  return version;
}

function toPrintable(result: RecipeDifference) {
  return {
    type: result.type,
    days: result.days,
    days_only_from: result.onlyFirst,
    days_only_to: result.onlySecond,
    from: result.first,
    to: result.second,
    mean_difference: result.meanDifference,
    largest_difference: result.largestDifference,
    band_changes: result.bandChanges,
  };
}

function describe(
  { from, to }: BacktestOptions,
  users: number,
  results: readonly RecipeDifference[],
): string {
  const header = [
    'SCORE',
    'DAYS',
    `MEAN ${from}`,
    `MEAN ${to}`,
    `SPREAD ${from}`,
    `SPREAD ${to}`,
    'MEAN DIFF',
    'LARGEST DIFF',
    'OTHER BAND',
  ];
  const rows = results.map((result) => [
    result.type,
    String(result.days),
    fixed(result.first?.mean),
    fixed(result.second?.mean),
    fixed(result.first?.spread),
    fixed(result.second?.spread),
    fixed(result.meanDifference),
    fixed(result.largestDifference),
    result.bandChanges === null ? '–' : `${(100 * result.bandChanges).toFixed(1)}%`,
  ]);
  return `${table(header, rows)}\nCompared recipe ${from} with recipe ${to} for ${users} ${users === 1 ? 'user' : 'users'}. Nothing was written.`;
}

function fixed(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toFixed(1);
}
