import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { parseId } from '../../ids.ts';
import type { Queryable } from '../../store/database/database.ts';
import {
  inAuditSnapshot,
  listChainedAndWaiting,
  listHeadsOf,
  listRepeatedIds,
  listStrayTexts,
  listWaitingTargets,
  readChains,
} from '../../store/audit/verification.ts';
import { listAnchors, type Anchor } from '../../stream/audit-anchors.ts';
import { AuditProblems, type AuditProblem } from './audit-problem.ts';
import { ChainCheck, forgettingActions, type CheckedChain, type ExpectedHash } from './check-chain.ts';
import { isSignedByUs } from './sign-head.ts';

/** How long to wait for a connection to NATS. */
const patienceMs = 5_000;

export interface Verification {
  /** Null for all accounts. */
  accountId: string | null;
  /** Chain heads that an operator recorded elsewhere. They require an account. */
  notes?: readonly { position: number; hash: string }[];
  /** Skips the anchors in NATS, for use when NATS is lost. */
  withoutAnchors?: boolean;
  /** Called periodically with the number of entries checked so far. */
  onProgress?: (entries: number) => void;
}

export interface VerifiedLog {
  chains: (CheckedChain & { anchors: number })[];
  /** The first problems. `problemCount` counts all of them. */
  problems: AuditProblem[];
  problemCount: number;
}

/**
 * Checks every entry, hash link, text and head of the audit log against each other, against the keys, and against the anchors outside the database.
 * Throws if the anchors cannot be read: without them a log that was rolled back would appear intact.
 */
export async function verifyChain(
  ctx: Pick<Context, 'broker' | 'config' | 'keyring' | 'operator'>,
  { accountId, notes = [], withoutAnchors = false, onProgress = () => {} }: Verification,
): Promise<VerifiedLog> {
  const problems = new AuditProblems();
  // Read before the snapshot, so that the snapshot contains every anchored entry.
  const anchors = withoutAnchors ? [] : await readAnchors(ctx, accountId);
  const expected = new Map<string, ExpectedHash[]>();
  const expect = (account: string, hash: ExpectedHash) =>
    expected.set(account, [...(expected.get(account) ?? []), hash]);
  for (const anchor of anchors) {
    const { position, hash } = anchor;
    // An anchor that matches the chain does no harm, no matter which key signed it: that key may have been removed since.
    expect(anchor.accountId, { position, hash, by: isOurs(ctx, anchor) ? 'anchor' : 'strange_anchor' });
  }
  for (const { position, hash } of notes) expect(accountId ?? '', { position, hash, by: 'note' });

  const chains = await inAuditSnapshot(ctx.operator, (tx) =>
    checkAll(ctx, tx, { accountId, expected, problems, onProgress }),
  );
  const anchorCounts = Map.groupBy(anchors, (anchor) => anchor.accountId);
  return {
    chains: chains.map((chain) => ({ ...chain, anchors: anchorCounts.get(chain.accountId)?.length ?? 0 })),
    problems: problems.listed,
    problemCount: problems.count,
  };
}

async function readAnchors(
  { broker, config }: Pick<Context, 'broker' | 'config'>,
  accountId: string | null,
): Promise<Anchor[]> {
  for (let waitedMs = 0; !broker.connected && waitedMs < patienceMs; waitedMs += 50) await sleep(50);
  if (!broker.connection || !broker.connected) throw new NoAnchorsError(broker.failure?.reason);
  return listAnchors(broker.connection, config.audit.name, accountId === null ? {} : { accountId });
}

/** NATS is unavailable. */
export class NoAnchorsError extends Error {
  override name = 'NoAnchorsError';
}

function isOurs(
  { keyring }: Pick<Context, 'keyring'>,
  { accountId, position, hash, signature }: Anchor,
): boolean {
  const head = {
    accountId,
    position,
    hash: Buffer.from(hash, 'hex'),
    signature: Buffer.from(signature, 'hex'),
  };
  return isSignedByUs(keyring, head);
}

async function checkAll(
  { keyring }: Pick<Context, 'keyring'>,
  tx: Queryable,
  {
    accountId,
    expected,
    problems,
    onProgress,
  }: {
    accountId: string | null;
    expected: Map<string, ExpectedHash[]>;
    problems: AuditProblems;
    onProgress: (entries: number) => void;
  },
): Promise<CheckedChain[]> {
  const heads = new Map((await listHeadsOf(tx, accountId)).map((head) => [head.accountId, head]));
  for (const head of heads.values())
    if (!isSignedByUs(keyring, head)) problems.add('head_not_ours', head.accountId, head.position);
  const forgotten = new Map<string, Set<string>>();
  for (const waiting of await listWaitingTargets(tx, accountId, forgettingActions)) {
    const person = parseId('user', waiting.targetId);
    const ofAccount = forgotten.get(waiting.accountId) ?? new Set();
    if (person) forgotten.set(waiting.accountId, ofAccount.add(person));
  }
  const open = (account: string) =>
    new ChainCheck(account, heads.get(account) ?? null, expected.get(account) ?? [], problems);
  const finished = new Map<string, CheckedChain>();
  const finish = (check: ChainCheck) =>
    finished.set(check.accountId, check.finish(forgotten.get(check.accountId) ?? new Set()));

  let check: ChainCheck | null = null;
  let entries = 0;
  for await (const page of readChains(tx, accountId)) {
    for (const [at, entry] of page.entries()) {
      if (check?.accountId !== entry.accountId) {
        if (check) finish(check);
        check = open(entry.accountId);
      }
      check.add(entry, () => page.slice(at + 1));
    }
    entries += page.length;
    onProgress(entries);
  }
  if (check) finish(check);
  // Heads, anchors and notes of chains that have no entries at all.
  for (const account of new Set([...heads.keys(), ...expected.keys()]))
    if (!finished.has(account)) finish(open(account));

  for (const { accountId: account, id } of await listStrayTexts(tx, accountId))
    problems.add('text_stray', account, null, `: ${id}`);
  for (const { accountId: account, position } of await listRepeatedIds(tx, accountId))
    problems.add('id_twice', account, position);
  for (const { accountId: account, position } of await listChainedAndWaiting(tx, accountId))
    problems.add('waiting_twice', account, position);
  return [...finished.values()];
}
