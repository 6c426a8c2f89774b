import type { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { formatId, parseUuid } from '../ids.ts';
import { readDescription } from '../services/batches/read-description.ts';
import { replayDeadLetter } from '../services/batches/replay-dead-letter.ts';
import {
  findDeadLetter,
  listDeadLetters,
  type DeadLetterDetail,
  type ListedDeadLetter,
} from '../store/dead-letters.ts';
import { operatorAtWork } from './acting.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';

interface Json {
  json?: boolean;
}

export function addDeadLetterCommands(program: Command): void {
  const deadLetter = program
    .command('dead-letter')
    .description('uploads that failed eight times and were set aside, so that the rest go on');

  addJsonOption(deadLetter.command('list'))
    .description('list them, newest first')
    .action(
      withContext(async (ctx, options: Json) => {
        const letters = (await listDeadLetters(ctx.operator)).map(toPrintable);
        const rows = letters.map((row) => [
          row.user_id,
          row.batch_id,
          String(row.attempts),
          row.reason,
          row.failed_at,
        ]);
        const text = table(['USER', 'BATCH', 'ATTEMPTS', 'REASON', 'FAILED AT'], rows);
        print(options, letters, letters.length === 0 ? 'None were set aside.' : text);
      }),
    );

  addJsonOption(deadLetter.command('show'))
    .description('show what one holds: times, size, device and how many items; never a measured value')
    .requiredOption('--user <user-id>', 'whose upload')
    .requiredOption('--batch <batch-id>', 'which one, a UUID')
    .action(
      withContext(async (ctx, options: Json & { user: string; batch: string }) => {
        const letter = await findDeadLetter(
          ctx.operator,
          requireId('user', options.user),
          requireBatchId(options.batch),
        );
        if (!letter) throw noSuchLetter(options);
        const shown = toDetail(letter);
        const { device, items, ...facts } = shown;
        const lines = Object.entries({ ...facts, ...device, ...items }).map(([name, value]) => [
          name.replaceAll('_', ' '),
          String(value),
        ]);
        const note = device ? '' : '\nIts content cannot be read: it is damaged.';
        print(options, shown, alignedLines(lines) + note);
      }),
    );

  addJsonOption(deadLetter.command('replay'))
    .description('have one tried again, or all of them')
    .option('--user <user-id>', 'whose upload')
    .option('--batch <batch-id>', 'which one, a UUID')
    .option('--all', 'every one that was set aside')
    .action(
      withContext(async (ctx, options: Json & { user?: string; batch?: string; all?: true }) => {
        const chosen = await chooseLetters(options, () => listDeadLetters(ctx.operator));
        let replayed = 0;
        for (const letter of chosen) if (await replayDeadLetter(ctx, operatorAtWork(), letter)) replayed += 1;
        if (replayed === 0 && !options.all) throw noSuchLetter(options);
        print(
          options,
          { replayed },
          `${replayed} ${replayed === 1 ? 'waits' : 'wait'} to be worked on again.`,
        );
      }),
    );
}

async function chooseLetters(
  options: { user?: string; batch?: string; all?: true },
  listAll: () => Promise<ListedDeadLetter[]>,
): Promise<{ userId: string; batchId: string }[]> {
  const { user, batch, all } = options;
  if (all && user === undefined && batch === undefined) return listAll();
  if (!all && user !== undefined && batch !== undefined)
    return [{ userId: requireId('user', user), batchId: requireBatchId(batch) }];
  throw new ConfigError('Say which: give --user and --batch, or --all.');
}

function requireBatchId(text: string): string {
  const id = parseUuid(text);
  if (!id)
    throw new ConfigError(
      `${text} is not the id of a batch; one looks like 0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e10`,
    );
  return id;
}

function noSuchLetter({ user, batch }: { user?: string; batch?: string }): ConfigError {
  return new ConfigError(`No batch ${batch} of ${user} was set aside. See \`tributary dead-letter list\`.`);
}

function toPrintable(letter: ListedDeadLetter) {
  return {
    user_id: formatId('user', letter.userId),
    batch_id: letter.batchId,
    attempts: letter.attempts,
    reason: letter.reason,
    failed_at: letter.failedAt,
  };
}

function toDetail(letter: DeadLetterDetail) {
  const described = readDescription(letter);
  return {
    ...toPrintable(letter),
    received_at: letter.receivedAt,
    created_at: letter.createdAt,
    packed_bytes: letter.payload.length,
    batch_kind: described?.batchKind ?? letter.kind,
    device: described && { provider: described.provider, kind: described.kind },
    items: described && described.counts,
  };
}

function alignedLines(lines: string[][]): string {
  const [first = [], ...rest] = lines;
  return table(first, rest);
}
