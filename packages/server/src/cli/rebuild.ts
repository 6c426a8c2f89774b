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
      "recompute a user's data layers to repair them, or with --check to verify that recomputing changes nothing",
    )
    .requiredOption('--user <user-id>', 'user id')
    .addOption(
      new Option(
        '--from <layer>',
        'raw: process every batch again; normalized: recompute days and canonical values',
      )
        .choices(['raw', 'normalized'])
        .makeOptionMandatory(),
    )
    .option(
      '--check',
      'compare every table before and after; on a difference, roll back and exit with status 1',
    )
    .action(
      withContext(async (ctx, options: RebuildOptions) => {
        // Imported lazily so that other commands do not load all layer code.
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
        if (!report) throw new ConfigError(`User ${options.user} not found.`);
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
  if (!check) return `${did}: ${changed ? 'some canonical values changed.' : 'no canonical values changed.'}`;
  const compared = table(['TABLE', 'RESULT'], Object.entries(tables));
  return `${compared}\n${did}: ${differs ? 'the result differs. All changes were rolled back.' : 'the result is identical.'}`;
}
