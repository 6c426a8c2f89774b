import type { Context } from '../context.ts';
import { processBatches, type FailedBatch } from '../services/layers/process-batches.ts';
import type { Pace } from '../services/layers/pace.ts';
import type { Queryable } from '../store/database/database.ts';
import {
  deferPendingBatches,
  takePendingBatches,
  takes,
  noAccount,
  type ClaimedBatch,
} from '../store/uploads/pending-batches.ts';

/** Each failed attempt divides the work of the next one by this, so that it fits even if the estimate was far off. */
const workDivisor = 8;
/** Delay before a skipped batch is tried again. */
const deferMs = 300;

/** What became of the batches that a transaction took. */
export interface Take {
  failed: FailedBatch[];
  scannedCount: number;
  finishedCount: number;
  /** Whether scanned batches remain that may be processed now. */
  isMore: boolean;
  /** How long the remaining part of a large batch waits, so that others are processed in between. */
  restMs: number;
  /** The account after which the next take begins. */
  lastAccount: string;
}

/** Takes pending batches and processes as many of them as one transaction may. */
export async function processTake(
  ctx: Pick<Context, 'newId' | 'config' | 'jobs' | 'rawPayloads'>,
  tx: Queryable,
  partitions: readonly number[],
  {
    kind,
    after = noAccount,
    limit,
    mostWork,
    pace,
    onBegin,
  }: {
    kind: keyof typeof takes;
    /** The last account of the previous take. */
    after?: string;
    limit: number;
    mostWork: number;
    pace: Pace;
    onBegin: (batch: ClaimedBatch) => void;
  },
): Promise<Take> {
  const { batches, passedOver } = await takePendingBatches(tx, partitions, limit, takes[kind], after);
  if (passedOver.length > 0) await deferPendingBatches(tx, passedOver, deferMs);
  const scannedCount = batches.length + passedOver.length;
  const chosen = chooseBatches(batches);
  const [first] = chosen;
  if (!first)
    return { failed: [], scannedCount, finishedCount: 0, isMore: false, restMs: 0, lastAccount: after };

  const work = mostWork / workDivisor ** first.attempts;
  const { failed, unfinished, leftCount } = await processBatches(ctx, tx, chosen, { work, pace, onBegin });
  const restMs = unfinished.length > 0 ? Math.ceil(pace.elapsedMs) : 0;
  if (restMs > 0) {
    const heavyUsers = new Set(unfinished.map(({ userId }) => userId));
    const waiting = batches.filter(({ userId }) => heavyUsers.has(userId));
    // The database counts from the start of the transaction.
    await deferPendingBatches(tx, waiting, 2 * restMs);
  }
  return {
    failed,
    scannedCount,
    finishedCount: chosen.length - leftCount - unfinished.length,
    isMore: leftCount > 0 || chosen.length < batches.length,
    restMs,
    lastAccount: findLastAccount(batches, chosen.slice(0, chosen.length - leftCount)),
  };
}

/**
 * The account that had its turn last. The next take begins with the account of a batch that this one passed over, if there is one: a batch that failed
 * before is processed only when it comes first.
 */
function findLastAccount(batches: readonly ClaimedBatch[], begun: readonly ClaimedBatch[]): string {
  const accounts = [...new Set(batches.map(({ queuedFor }) => queuedFor))];
  const next = batches.find(({ attempts }) => attempts > 0);
  if (!next || begun.includes(next)) return begun.at(-1)?.queuedFor ?? accounts.at(-1)!;
  return accounts.at(accounts.indexOf(next.queuedFor) - 1)!;
}

/** A batch that failed before is processed by itself, so that it cannot affect others. */
function chooseBatches(batches: readonly ClaimedBatch[]): readonly ClaimedBatch[] {
  const [first] = batches;
  if (first && first.attempts > 0) return [first];
  return batches.filter(({ attempts }) => attempts === 0);
}
