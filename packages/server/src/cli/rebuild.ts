import { Option, type Command } from 'commander';
import { ConfigError } from '../config.ts';
import type { RebuildReport } from '../services/users/rebuild-layers.ts';
import { operatorAtWork } from './acting.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';

interface RebuildOptions {
  json?: boolean;
  user: string;
  from: 'raw' | 'normalized';
  check?: true;
}

export function addRebuildCommand(program: Command): void {
  addJsonOption(program.command('rebuild'))
    .description(
      "work a user's layers out again: for a repair, or with --check to prove that nothing would come out differently",
    )
    .requiredOption('--user <user-id>', 'whose')
    .addOption(
      new Option('--from <layer>', 'raw: every batch again; normalized: days and answers again')
        .choices(['raw', 'normalized'])
        .makeOptionMandatory(),
    )
    .option('--check', 'compare every table before and after; a difference is rolled back and ends with 1')
    .action(
      withContext(async (ctx, options: RebuildOptions) => {
        // Loaded only here: other commands should not wait for everything that layers are made with.
        const { rebuildLayers } = await import('../services/users/rebuild-layers.ts');
        const startedAt = performance.now();
        const userId = requireId('user', options.user);
        const check = options.check ?? false;
        const report = await rebuildLayers(ctx, operatorAtWork(), {
          userId,
          from: options.from,
          check,
        }).catch((error: Error) => {
          if (error.name === 'RawIncompleteError') throw new ConfigError(error.message);
          throw error;
        });
        if (!report) throw new ConfigError(`There is no user ${options.user}.`);
        const seconds = Math.round(performance.now() - startedAt) / 1000;
        const differs = Object.values(report.tables).includes('different');
        const shown = { user_id: options.user, from: options.from, seconds, ...report, kept: !differs };
        print(options, shown, describe(options, report, differs, seconds));
        if (differs) process.exitCode = 1;
      }),
    );
}

function describe(
  { user, from, check }: RebuildOptions,
  { changed, tables }: RebuildReport,
  differs: boolean,
  seconds: number,
): string {
  const did = `Rebuilt ${user} from ${from} in ${seconds} s`;
  if (!check)
    return `${did}: ${changed ? 'some answers are different now.' : 'every answer is what it was.'}`;
  const compared = table(['TABLE', 'RESULT'], Object.entries(tables));
  return `${compared}\n${did}: ${differs ? 'it came out differently, and everything was left as it was.' : 'everything came out as it was.'}`;
}
