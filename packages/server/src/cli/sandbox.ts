import { advanceLimits, ApiError } from '@tributary/contract';
import { dayOf, formatDay } from '@tributary/domain';
import { InvalidArgumentError, type Command } from 'commander';
import { ConfigError } from '../config.ts';
import type { Context } from '../context.ts';
import { formatId } from '../ids.ts';
import type { UserDetail } from '../store/users.ts';
import { actingForTenant } from './acting.ts';
import { addJsonOption, print, withContext } from './command.ts';
import { toWeekJson } from './sandbox-json.ts';
import { countOf, harmless, longDate } from './sandbox-text.ts';
import { findSandboxUser } from './sandbox-user.ts';
import { renderWeek } from './sandbox-week.ts';

interface UserOptions {
  json?: boolean;
  user: string;
  account?: string;
}

/** Where there is no terminal whose width is known. */
const usualWidth = 100;
const mostDays = 31;

export function addSandboxCommands(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description('the made-up people of the sandbox; users that are real are never shown');

  addUserOptions(sandbox.command('show'))
    .description(
      'show the last days of a person: heart rate, sleep, steps, workouts, and scores with reasons',
    )
    .option(
      '--days <number>',
      `how many, 1 to ${mostDays}, up to the person's own today`,
      parseDays(1, mostDays),
      7,
    )
    .option('--no-color', 'plain text; the same as NO_COLOR=1, and as printing into a file')
    .addHelpText(
      'after',
      examples(
        'show --user ada',
        'show --user ada --days 14',
        'show --user user_01jcqz4w5ve9prdk6r9f4vg1yx --json',
      ),
    )
    .action(
      withContext(async (ctx, options: UserOptions & { days: number; color: boolean }) => {
        const { userId, ...tenant } = await findSandboxUser(ctx.operator, options);
        // Loaded only here: other commands should not wait for everything that reads take.
        const { readWeek } = await import('../services/sandbox/read-week.ts');
        const week = await readWeek(ctx, tenant, userId, options.days);
        const { stdout } = process;
        const screen = {
          width: stdout.isTTY ? stdout.columns : usualWidth,
          color: options.color && stdout.isTTY && stdout.hasColors(),
        };
        print(options, toWeekJson(week), renderWeek(week, screen));
      }),
    );

  addUserOptions(sandbox.command('advance'))
    .description('let days pass for a person, and wait until data and scores have followed')
    .option(
      '--days <number>',
      `how many, 0 to ${advanceLimits.days}; 0 brings the data up to this moment`,
      parseDays(0, advanceLimits.days),
      1,
    )
    .addHelpText('after', examples('advance --user ada', 'advance --user ada --days 7'))
    .action(
      withContext(async (ctx, options: UserOptions & { days: number }) => {
        const { userId, ...tenant } = await findSandboxUser(ctx.operator, options);
        const acting = actingForTenant(tenant);
        const { advanceUser } = await import('../services/sandbox/advance-user.ts');
        const advanced = await advanceUser(ctx, acting, userId, options.days).catch((error: Error) => {
          // What the API says of a field of the body is true of the option.
          throw error instanceof ApiError
            ? new ConfigError(error.message.replace('body field ', '--'))
            : error;
        });
        const today = todayOf(ctx, advanced);
        const shown = {
          user_id: formatId('user', userId),
          reference_id: advanced.referenceId,
          today_before: formatDay(today - options.days),
          today: formatDay(today),
          days_ahead: advanced.daysAhead,
          pending_batches: advanced.pendingBatches,
          score_status: advanced.scoreStatus,
          last_score_at: advanced.lastScoreAt,
        };
        print(options, shown, describeAdvance(advanced, today, options.days));
      }),
    );
}

function addUserOptions(command: Command): Command {
  return addJsonOption(command)
    .requiredOption('--user <user>', 'who: the id of a user, or your own reference for it')
    .option('--account <account-id>', 'whose user, where several accounts have one with this reference');
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  tributary sandbox ${line}`).join('\n')}`;
}

function todayOf({ clock }: Context, { timezone, daysAhead }: UserDetail): number {
  return dayOf(clock.now(), timezone ?? 'UTC') + daysAhead;
}

function describeAdvance(user: UserDetail, today: number, days: number): string {
  const moved = days === 0 ? 'It is' : `${countOf(days, 'day')} passed: it is`;
  const ahead = user.daysAhead === 0 ? '' : `, ${countOf(user.daysAhead, 'day')} ahead`;
  return `${moved} ${longDate(today)} for ${harmless(user.referenceId)}${ahead}.\n${describeProgress(user)}`;
}

/** How far data and scores have followed. */
function describeProgress({ pendingBatches, scoreStatus, sandbox }: UserDetail): string {
  if (sandbox?.archetype === 'none') return 'Nothing is made up for this user, so nothing was reported.';
  if (pendingBatches > 0)
    return `${countOf(pendingBatches, 'upload')} of its devices still wait: does a process run the role ingest?`;
  if (scoreStatus !== 'ready')
    return `Its data are there, its scores are ${scoreStatus}: does a process run the role jobs?`;
  return 'Its data and scores have followed.';
}

function parseDays(least: number, most: number): (text: string) => number {
  return (text) => {
    const days = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(days >= least && days <= most))
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return days;
  };
}
