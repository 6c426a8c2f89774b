import type { Command } from 'commander';
import { encryptStored, type EncryptionReport } from '../services/raw-payloads/encrypt-stored.ts';
import { addJsonOption, print, withContext } from './command.ts';

const reportEveryMs = 5_000;

export function addRawCommands(program: Command): void {
  const raw = program.command('raw').description('manage the raw payloads of uploads and providers');

  addJsonOption(raw.command('encrypt'))
    .description(
      'encrypt all raw payloads, and from now on new ones (safe while the service runs, resumable); run it once every process has this version',
    )
    .action(
      withContext(async (ctx, options: { json?: boolean }) => {
        let reportedAt = performance.now();
        const report = await encryptStored(ctx, (progress) => {
          if (performance.now() - reportedAt < reportEveryMs) return;
          reportedAt = performance.now();
          console.error(describeProgress(progress));
        });
        const { scanned, encrypted, unreadable } = report;
        print(options, { payloads: scanned, encrypted, unreadable }, describe(report));
      }),
    );
}

function describeProgress({ scanned, estimated, encrypted }: EncryptionReport): string {
  return `Checked ${scanned} of about ${Math.max(scanned, estimated)} payloads, encrypted ${encrypted}.`;
}

function describe({ scanned, encrypted, unreadable }: EncryptionReport): string {
  const rest =
    unreadable === 0
      ? ''
      : ` ${unreadable} belong to erased users and cannot be read: delete these users again.`;
  return `Encrypted ${encrypted} payloads. All ${scanned} payloads are encrypted, and so are new ones.${rest}`;
}
