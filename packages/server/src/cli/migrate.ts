import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { migrateAll } from '../migrate.ts';
import { addJsonOption, print } from './command.ts';
import { runAction } from './run-action.ts';

export function addMigrateCommand(program: Command): void {
  addJsonOption(program.command('migrate'))
    .description('migrate the database to this version (safe to run on several nodes at once)')
    .action((options: { json?: boolean }) =>
      runAction(async () => {
        const { applied, total } = await migrateAll(readConfig());
        const text =
          applied.length === 0 ? `Up to date: ${total} migrations.` : `Applied ${applied.join(', ')}.`;
        print(options, { applied, total }, text);
      }),
    );
}
