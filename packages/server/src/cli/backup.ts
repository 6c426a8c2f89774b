import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { isSound, verifyBackup, type BackupReport } from '../services/backups/verify-backup.ts';
import { countRows, type RowCount } from '../store/database/row-counts.ts';
import { addJsonOption, print, table, withContext } from './command.ts';

export function addBackupCommands(program: Command): void {
  const backup = program.command('backup').description('verify backups of the database');
  addJsonOption(backup.command('verify'))
    .description(
      'read everything in a restored database, and exit with 1 if a part of it is damaged or locked',
    )
    .option('--expect <file>', 'numbers of rows that `tributary backup counts --json` printed')
    .addHelpText(
      'after',
      '\nSet DATABASE_URL to the restored database, not to the one in use, and KEY_STORE_URL and ENCRYPTION_KEYS to what a restored service would use. It changes nothing.',
    )
    .action(
      withContext(async (ctx, options: { expect?: string; json?: boolean }) => {
        const expected = options.expect === undefined ? null : await readCounts(options.expect);
        const report = await verifyBackup(ctx, expected, (text) => process.stderr.write(`${text}\n`));
        print(options, toPrintable(report), describe(report));
        if (!isSound(report)) process.exitCode = 1;
      }),
    );
  addJsonOption(backup.command('counts'))
    .description('print the number of rows of every table, to compare it with a restored database')
    .action(
      withContext(async (ctx, options: { json?: boolean }) => {
        const counts = await countRows(ctx.operator);
        const rows = counts.map((count) => [count.table, String(count.rows)]);
        print(options, { counts }, table(['TABLE', 'ROWS'], rows));
      }),
    );
}

async function readCounts(file: string): Promise<RowCount[]> {
  const problem = `--expect must name a file with the output of \`tributary backup counts --json\``;
  try {
    const { counts } = JSON.parse(await readFile(file, 'utf8')) as { counts: RowCount[] };
    if (counts.length > 0 && counts.every(({ table, rows }) => typeof table === 'string' && rows >= 0))
      return counts;
  } catch (error) {
    throw new ConfigError(`${problem}: ${(error as Error).message}`);
  }
  throw new ConfigError(problem);
}

function toPrintable(report: BackupReport) {
  const { sealed, payloads, audit, counts, differences } = report;
  return {
    sound: isSound(report),
    sealed,
    raw_payloads: payloads,
    audit: { chains: audit.chains.length, problem_count: audit.problemCount },
    counts,
    differences,
  };
}

function describe(report: BackupReport): string {
  const { sealed, payloads, audit, counts, differences } = report;
  const kinds = [...Object.entries(sealed), ['raw_payloads', payloads] as const];
  const rows = kinds.map(([kind, { readable, unreadable }]) => [
    kind.replaceAll('_', ' '),
    String(readable),
    String(unreadable),
  ]);
  const entries = audit.chains.reduce((sum, chain) => sum + chain.entries, 0);
  const total = counts.reduce((sum, count) => sum + count.rows, 0);
  const lines = [
    table(['SECRET', 'READABLE', 'UNREADABLE'], rows),
    '',
    `Raw payloads of erased users: ${payloads.erased}, not readable.`,
    `Audit log: ${entries} entries in ${audit.chains.length} chains, ${audit.problemCount} problems.`,
    `Rows: ${total} in ${counts.length} tables.`,
    ...differences.map((one) => `${one.table} has ${one.rows} rows, expected ${one.expected}.`),
    '',
    isSound(report) ? 'The backup is sound.' : 'The backup is not sound. Do not rely on it.',
  ];
  return lines.join('\n');
}
