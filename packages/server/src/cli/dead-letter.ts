import type { Command } from 'commander';
import { ConfigError } from '../config.ts';
import type { Context } from '../context.ts';
import { formatId, parseUuid } from '../ids.ts';
import { readDescription } from '../services/batches/read-description.ts';
import { decryptIfReadable } from '../services/raw-payloads/raw-payloads.ts';
import { replayDeadLetter } from '../services/batches/replay-dead-letter.ts';
import {
  findDeadLetter,
  listDeadLetters,
  type DeadLetterDetail,
  type ListedDeadLetter,
} from '../store/uploads/dead-letters.ts';
import { operatorAtWork } from './acting.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';

interface Json {
  json?: boolean;
}

export function addDeadLetterCommands(program: Command): void {
  const deadLetter = program
    .command('dead-letter')
    .description('inspect and replay batches that failed eight times and no longer block the queue');

  addJsonOption(deadLetter.command('list'))
    .description('list dead letters, newest first')
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
        print(options, letters, letters.length === 0 ? 'No dead letters.' : text);
      }),
    );

  addJsonOption(deadLetter.command('show'))
    .description('show the times, size, device and item counts of a dead letter, but no measured values')
    .requiredOption('--user <user-id>', 'user who uploaded the batch')
    .requiredOption('--batch <batch-id>', 'batch id, a UUID')
    .action(
      withContext(async (ctx, options: Json & { user: string; batch: string }) => {
        const letter = await findDeadLetter(
          ctx.operator,
          requireId('user', options.user),
          requireBatchId(options.batch),
        );
        if (!letter) throw noSuchLetter(options);
        const shown = await toDetail(ctx, letter);
        const { device, items, ...facts } = shown;
        const lines = Object.entries({ ...facts, ...device, ...items }).map(([name, value]) => [
          name.replaceAll('_', ' '),
          String(value),
        ]);
        const note = device ? '' : '\nThe payload is corrupted and cannot be read.';
        print(options, shown, alignedLines(lines) + note);
      }),
    );

  addJsonOption(deadLetter.command('replay'))
    .description('queue one dead letter, or all of them, for processing again')
    .option('--user <user-id>', 'user who uploaded the batch')
    .option('--batch <batch-id>', 'batch id, a UUID')
    .option('--all', 'replay all dead letters')
    .action(
      withContext(async (ctx, options: Json & { user?: string; batch?: string; all?: true }) => {
        const chosen = await chooseLetters(options, () => listDeadLetters(ctx.operator));
        let replayed = 0;
        for (const letter of chosen) if (await replayDeadLetter(ctx, operatorAtWork(), letter)) replayed += 1;
        if (replayed === 0 && !options.all) throw noSuchLetter(options);
        print(
          options,
          { replayed },
          `Queued ${replayed} ${replayed === 1 ? 'batch' : 'batches'} for processing.`,
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
  throw new ConfigError('Pass either --user and --batch, or --all.');
}

function requireBatchId(text: string): string {
  const id = parseUuid(text);
  if (!id)
    throw new ConfigError(
      `Invalid batch id ${text}: expected a UUID such as 0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e10.`,
    );
  return id;
}

function noSuchLetter({ user, batch }: { user?: string; batch?: string }): ConfigError {
  return new ConfigError(
    `Dead letter ${batch} of user ${user} not found. List dead letters with \`tributary dead-letter list\`.`,
  );
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

async function toDetail(ctx: Pick<Context, 'rawPayloads'>, letter: DeadLetterDetail) {
  const decrypt = await ctx.rawPayloads.readKeys([letter]);
  const payload = decryptIfReadable(decrypt, letter);
  const described = payload && readDescription({ ...letter, payload });
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
