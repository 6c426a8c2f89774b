import type { Command } from 'commander';
import { resealValues } from '../services/encryption-keys/reseal-values.ts';
import { addJsonOption, print, table, withContext } from './command.ts';

export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('manage the keys that encrypt secrets in the database');

  addJsonOption(keys.command('reseal'))
    .description(
      're-encrypt stored secrets with the first key in ENCRYPTION_KEYS (safe while the service runs); run it once every process has that key first',
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
          `${table(['SECRET', 'RE-ENCRYPTED', 'REMAINING'], rows)}\n${verdict(isDone, version, missingVersions)}`,
        );
        if (!isDone) process.exitCode = 1;
      }),
    );
}

function verdict(isDone: boolean, version: number, missing: number[]): string {
  if (isDone) return `All secrets are encrypted with key version ${version}.`;
  if (missing.length > 0)
    return `The remaining secrets cannot be decrypted: ENCRYPTION_KEYS does not contain ${missing.map((one) => `version ${one}`).join(', ')}, or has a different key under that version.`;
  return 'The remaining secrets were locked the whole time. Run this command again.';
}
