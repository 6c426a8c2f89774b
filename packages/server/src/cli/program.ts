import { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Role } from '../context.ts';
import { addAccountCommands } from './account.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addDeadLetterCommands } from './dead-letter.ts';
import { checkHealth } from './health.ts';
import { runAction } from './run-action.ts';
import { addKeyCommands } from './api-keys.ts';
import { addKeysCommands } from './encryption-keys.ts';
import { addInitCommand } from './init.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOperatorCommands } from './operator.ts';
import { addProviderCommands } from './provider/provider.ts';
import { addRawCommands } from './raw.ts';
import { addRebuildCommand } from './rebuild.ts';
import { addSandboxCommands } from './sandbox/sandbox.ts';
import { addScoreCommands } from './scores.ts';
import { addSigningKeyCommands } from './signing-key.ts';
import { commit, version } from '../version.ts';
import { addWebhookCommands } from './webhooks/webhooks.ts';

const roles: [Role, string][] = [
  ['all', 'run every role in one process'],
  ['api', 'serve the HTTP API'],
  ['ingest', 'process uploaded batches'],
  ['jobs', 'run scheduled and background jobs'],
  ['keeper', 'refresh provider tokens'],
];

/** The `tributary` command: the roles, and the operator's tools. */
export function createProgram(): Command {
  const program = new Command('tributary')
    .description(
      'Tributary: a self-hosted health data service.\nConfigure it with environment variables; see .env.example.',
    )
    .version(commit === null ? version : `${version}, commit ${commit}`, '--version', 'print the version')
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({ showGlobalOptions: true });
  for (const [role, description] of roles) {
    program
      .command(role)
      .description(description)
      .action(() =>
        runAction(async () => {
          // Imported lazily so that other commands do not load the whole server.
          const { runRole } = await import('../run-role.ts');
          await runRole(readConfig(), role);
        }),
      );
  }
  program
    .command('health')
    .description('exit with 0 if the service on this machine is ready')
    .action(() => checkHealth());
  addInitCommand(program);
  addMigrateCommand(program);
  addAccountCommands(program);
  addKeyCommands(program);
  addOperatorCommands(program);
  addSigningKeyCommands(program);
  addKeysCommands(program);
  addProviderCommands(program);
  addDeadLetterCommands(program);
  addRawCommands(program);
  addRebuildCommand(program);
  addScoreCommands(program);
  addSandboxCommands(program);
  addWebhookCommands(program);
  addAuditCommands(program);
  addBackupCommands(program);
  return program;
}
