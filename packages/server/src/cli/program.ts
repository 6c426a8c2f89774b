import { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Role } from '../context.ts';
import { addAccountCommands } from './account.ts';
import { addAuditCommands } from './audit.ts';
import { addDeadLetterCommands } from './dead-letter.ts';
import { failKindly } from './fail-kindly.ts';
import { addKeyCommands } from './key.ts';
import { addKeysCommands } from './keys.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOperatorCommands } from './operator.ts';
import { addProviderCommands } from './provider.ts';
import { addRebuildCommand } from './rebuild.ts';
import { addSandboxCommands } from './sandbox.ts';
import { addSigningKeyCommands } from './signing-key.ts';
import { addWebhookCommands } from './webhooks.ts';

const roles: [Role, string][] = [
  ['all', 'run every role in one process'],
  ['api', 'serve the HTTP API'],
  ['ingest', 'tend the stream of uploaded batches'],
  ['jobs', 'run schedules and background jobs'],
];

/** The `tributary` command: the roles, and the operator's tools. */
export function createProgram(): Command {
  const program = new Command('tributary')
    .description(
      'Tributary: a self-hosted health data service.\nConfigured by environment variables; see .env.example.',
    )
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({ showGlobalOptions: true });
  for (const [role, description] of roles) {
    program
      .command(role)
      .description(description)
      .action(() =>
        failKindly(async () => {
          // Loaded only here: an operator's command should not wait for a whole server.
          const { runRole } = await import('../run-role.ts');
          await runRole(readConfig(), role);
        }),
      );
  }
  addMigrateCommand(program);
  addAccountCommands(program);
  addKeyCommands(program);
  addOperatorCommands(program);
  addSigningKeyCommands(program);
  addKeysCommands(program);
  addProviderCommands(program);
  addDeadLetterCommands(program);
  addRebuildCommand(program);
  addSandboxCommands(program);
  addWebhookCommands(program);
  addAuditCommands(program);
  return program;
}
