import { advanceLimits, ApiError } from '@tributary/contract';
import { formatDay, todayOf } from '@tributary/domain';
import { InvalidArgumentError, type Command } from 'commander';
import { ConfigError } from '../../config.ts';
import { formatId } from '../../ids.ts';
import type { UserDetail } from '../../store/users/users.ts';
import { actingForTenant } from '../acting.ts';
import { addJsonOption, print, withContext } from '../command.ts';
import { toWeekJson } from './json.ts';
import { countOf, harmless, longDate } from './text.ts';
import { findSandboxUser } from './user.ts';
import { renderWeek } from './week.ts';

interface UserOptions {
  json?: boolean;
  user: string;
  account?: string;
}

/** Used when the output is not a terminal of known width. */
const usualWidth = 100;
const mostDays = 31;

export function addSandboxCommands(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description('inspect and advance sandbox users (live users are never shown)');

  addUserOptions(sandbox.command('show'))
    .description(
      "show a user's recent heart rate, sleep, steps, workouts, and scores with their main factors",
    )
    .option(
      '--days <number>',
      `number of days, 1 to ${mostDays}, ending with the user's current date`,
      parseDays(1, mostDays),
      7,
    )
    .option('--no-color', 'disable colors; also the default with NO_COLOR=1 and when output goes to a file')
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
        // Imported lazily so that other commands do not load everything that reads need.
        const { readWeek } = await import('../../services/sandbox/read-week.ts');
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
    .description("move a user's clock forward, and wait until data and scores are up to date")
    .option(
      '--days <number>',
      `number of days, 0 to ${advanceLimits.days}; 0 generates data up to the current time`,
      parseDays(0, advanceLimits.days),
      1,
    )
    .addHelpText('after', examples('advance --user ada', 'advance --user ada --days 7'))
    .action(
      withContext(async (ctx, options: UserOptions & { days: number }) => {
        const { userId, ...tenant } = await findSandboxUser(ctx.operator, options);
        const acting = actingForTenant(tenant);
        const { advanceUser } = await import('../../services/sandbox/advance-user.ts');
        const advanced = await advanceUser(ctx, acting, userId, options.days).catch((error: Error) => {
          // The API's message about a body field also applies to the option.
          throw error instanceof ApiError
            ? new ConfigError(error.message.replace(/^Body field `(\w+)`/, '--$1'))
            : error;
        });
        const today = todayOf(ctx.clock.now(), advanced.timezones, advanced.daysAhead);
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
    .requiredOption('--user <user>', 'user id, or your own reference id of the user')
    .option(
      '--account <account-id>',
      'account of the user, required if several accounts have a user with this reference id',
    );
}

function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  tributary sandbox ${line}`).join('\n')}`;
}

function describeAdvance(user: UserDetail, today: number, days: number): string {
  const moved = days === 0 ? 'It is' : `Advanced ${countOf(days, 'day')}. It is`;
  const ahead = user.daysAhead === 0 ? '' : `, ${countOf(user.daysAhead, 'day')} ahead`;
  return `${moved} ${longDate(today)} for ${harmless(user.referenceId)}${ahead}.\n${describeProgress(user)}`;
}

/** Whether data and scores are up to date. */
function describeProgress({ pendingBatches, scoreStatus, sandbox }: UserDetail): string {
  if (sandbox?.archetype === 'none') return 'This user has no archetype, so no data was generated.';
  if (pendingBatches > 0)
    return `${countOf(pendingBatches, 'upload')} still pending. Check that a process with the ingest role is running.`;
  if (scoreStatus !== 'ready')
    return `Data is up to date, but scores are ${scoreStatus}. Check that a process with the jobs role is running.`;
  return 'Data and scores are up to date.';
}

function parseDays(least: number, most: number): (text: string) => number {
  return (text) => {
    const days = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(days >= least && days <= most))
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return days;
  };
}
