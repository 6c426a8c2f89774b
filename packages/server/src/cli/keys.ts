import type { Command } from 'commander';
import { resealValues } from '../services/encryption-keys/reseal-values.ts';
import { addJsonOption, print, table, withContext } from './command.ts';

export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('keys that seal what is secret in the database');

  addJsonOption(keys.command('reseal'))
    .description(
      'seal with the first of ENCRYPTION_KEYS what is sealed with another, while the service runs; run it when every process has that key in front',
    )
    .action(
      withContext(async (ctx, options: { json?: boolean }) => {
        const { resealed, left, missingVersions } = await resealValues(ctx);
        const version = ctx.keyring.newestVersion;
        const isDone = Object.values(left).every((count) => count === 0);
        const rows = Object.entries(resealed).map(([place, count]) => [
          place.replaceAll('_', ' '),
          String(count),
          String(left[place as keyof typeof left]),
        ]);
        print(
          options,
          { key_version: version, resealed, left, missing_versions: missingVersions },
          `${table(['WHAT', 'RESEALED', 'LEFT'], rows)}\n${verdict(isDone, version, missingVersions)}`,
        );
        if (!isDone) process.exitCode = 1;
      }),
    );
}

function verdict(isDone: boolean, version: number, missing: number[]): string {
  if (isDone) return `Everything is sealed with version ${version}.`;
  if (missing.length > 0)
    return `What is left cannot be opened: ENCRYPTION_KEYS lacks ${missing.map((one) => `version ${one}`).join(', ')}, or has another key under that number.`;
  return 'What is left was in use all the time. Run this again.';
}
