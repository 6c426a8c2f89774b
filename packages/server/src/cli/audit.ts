import { auditActions } from '@tributary/contract';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { ConfigError } from '../config.ts';
import { wholeService } from '../store/audit/actor.ts';
import { listOperatedAuditEntries } from '../store/audit/list.ts';
import { toOperatedAuditWire } from '../services/audit/audit-wire.ts';
import { chainName } from '../services/audit/chain-name.ts';
import { NoAnchorsError, verifyChain, type VerifiedLog } from '../services/audit/verify-chain.ts';
import { addJsonOption, print, requireId, table, withContext } from './command.ts';
import { harmless, missing } from './sandbox/text.ts';

const mostEntries = 1_000;
const progressEvery = 100_000;
const exampleAccount = 'acc_01jcqz4w5ve9prdk6r9f4vg1yx';

interface ListOptions {
  account?: string;
  action?: string;
  target?: string;
  since?: string;
  limit: number;
  json?: boolean;
}

interface VerifyOptions {
  account?: string;
  expect: { position: number; hash: string }[];
  withoutAnchors?: boolean;
  json?: boolean;
}

/** The operator's view of the audit log. */
export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('inspect and verify the audit log');

  addJsonOption(audit.command('list'))
    .description('list the newest entries, without personal details of users')
    .option(
      '--account <account-id>',
      'only entries of this account; `service` for entries that belong to no account',
    )
    .addOption(new Option('--action <name>', 'only this action').choices(auditActions))
    .option('--target <id>', 'only entries with this target')
    .option(
      '--since <time>',
      'only entries since this time, such as 2026-03-02 or 2026-03-02T07:00:00Z',
      parseTime,
    )
    .option('--limit <number>', `maximum number of entries, 1 to ${mostEntries}`, parseLimit, 50)
    .addHelpText(
      'after',
      `\nExamples:\n  tributary audit list --account ${exampleAccount} --limit 20\n  tributary audit list --action api_key.created --since 2026-03-01`,
    )
    .action(withContext(list));

  addJsonOption(audit.command('verify'))
    .description(
      'verify every entry against its hash, the chain, the signed chain head and the anchors in NATS',
    )
    .option(
      '--account <account-id>',
      'only the chain of this account; `service` for entries that belong to no account',
    )
    .option(
      '--expect <position:hash>',
      'chain head that you recorded earlier; requires --account (repeatable)',
      collectNote,
      [],
    )
    .option('--without-anchors', 'skip the anchors in NATS, for when NATS is lost')
    .addHelpText(
      'after',
      `\nExits with status 1 if it finds a problem. Store the printed chain heads elsewhere, and pass them to --expect later:\n  tributary audit verify\n  tributary audit verify --account ${exampleAccount} --expect 1204:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`,
    )
    .action(withContext(verify));
}

async function list(ctx: Parameters<typeof verifyChain>[0], options: ListOptions): Promise<void> {
  const entries = await listOperatedAuditEntries(ctx.operator, {
    accountId: accountOf(options),
    action: options.action ?? null,
    targetId: options.target ?? null,
    since: options.since ?? null,
    limit: options.limit,
  });
  const shown = entries.map((entry) => ({
    account_id: chainName(entry.accountId),
    ...toOperatedAuditWire(entry),
  }));
  const rows = shown.map((entry) => [
    entry.at,
    entry.account_id,
    entry.environment ?? missing,
    harmless(`${entry.actor.type} ${entry.actor.id}`),
    entry.action,
    harmless(entry.target.id),
    harmless(entry.address ?? missing),
  ]);
  const text = table(['TIME', 'ACCOUNT', 'ENVIRONMENT', 'ACTOR', 'ACTION', 'TARGET', 'ADDRESS'], rows);
  print(options, shown, shown.length === 0 ? 'No entries.' : text);
}

async function verify(ctx: Parameters<typeof verifyChain>[0], options: VerifyOptions): Promise<void> {
  if (options.expect.length > 0 && options.account === undefined)
    throw new ConfigError('--expect requires --account: pass the account whose chain to verify.');
  const startedAt = performance.now();
  let reportedCount = 0;
  const verified = await verifyChain(ctx, {
    accountId: accountOf(options),
    notes: options.expect,
    withoutAnchors: options.withoutAnchors ?? false,
    onProgress(entries) {
      if (entries < reportedCount + progressEvery) return;
      reportedCount = entries;
      const perSecond = (entries / (performance.now() - startedAt)) * 1000;
      process.stderr.write(`${entries} entries, ${perSecond.toFixed(0)} per second\n`);
    },
  }).catch((error: unknown) => {
    if (!(error instanceof NoAnchorsError)) throw error;
    throw new ConfigError(
      `NATS does not respond at NATS_URL${error.message && `: ${error.message}`}. Without its anchors, a rollback of the audit log would go undetected. Restore NATS, or skip the anchors with --without-anchors.`,
    );
  });
  print(options, toPrintable(verified), describe(verified));
  if (verified.problemCount > 0) process.exitCode = 1;
}

function toPrintable({ chains, problems, problemCount }: VerifiedLog) {
  return {
    sound: problemCount === 0,
    chains: chains.map(({ accountId, entries, head, anchors }) => ({
      account_id: chainName(accountId),
      entries,
      position: head?.position ?? null,
      hash: head?.hash.toString('hex') ?? null,
      anchors,
    })),
    problem_count: problemCount,
    problems: problems.map(({ accountId, ...problem }) => ({ account_id: chainName(accountId), ...problem })),
  };
}

function describe(verified: VerifiedLog): string {
  const { chains, problems, problem_count: count } = toPrintable(verified);
  if (chains.length === 0 && count === 0) return 'The audit log is empty.';
  const rows = chains.map((chain) => [
    chain.account_id,
    String(chain.entries),
    String(chain.anchors),
    chain.position === null ? missing : `${chain.position}:${chain.hash}`,
  ]);
  const ends = table(['ACCOUNT', 'ENTRIES', 'ANCHORS', 'HEAD'], rows);
  if (count === 0) return `${ends}\n\nNo problems found.`;
  const lines = problems.map(
    ({ account_id, position, message }) =>
      `${account_id}${position === null ? '' : ` at ${position}`}: ${message}`,
  );
  const more = count > problems.length ? `\nand ${count - problems.length} more` : '';
  return `${ends}\n\n${lines.join('\n')}${more}\n\n${count} ${count === 1 ? 'problem' : 'problems'}.`;
}

function accountOf({ account }: { account?: string }): string | null {
  if (account === undefined) return null;
  return account === 'service' ? wholeService : requireId('acc', account);
}

function collectNote(text: string, notes: VerifyOptions['expect']): VerifyOptions['expect'] {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (!position || !hash)
    throw new InvalidArgumentError('It must be a position and a hash, as printed by verify: 1204:9f86….');
  return [...notes, { position: Number(position), hash: hash.toLowerCase() }];
}

function parseTime(text: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms))
    throw new InvalidArgumentError('It must be a date or a time, such as 2026-03-02T07:00:00Z.');
  return new Date(ms).toISOString();
}

function parseLimit(text: string): number {
  const limit = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(limit >= 1 && limit <= mostEntries))
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostEntries}.`);
  return limit;
}
