import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database/database.ts';
import { insertEvents } from '../../store/events/events.ts';
import { priorityOf } from '../../store/uploads/batch-priority.ts';
import {
  deletePendingBatches,
  updateProgress,
  type ClaimedBatch,
} from '../../store/uploads/pending-batches.ts';
import { writeReceipts, type ReceiptRow } from '../../store/uploads/receipts.ts';
import { markScoresStale } from '../../store/scores/stale.ts';
import { markUsersSynced } from '../../store/users/users.ts';
import { scoreWaits } from '../scores/score-waits.ts';
import { staleDaysOf } from '../scores/stale-days-of.ts';
import { applyBatches, type Outcome } from './apply-batches.ts';
import { takePiece, type BatchPiece } from './batch-piece.ts';
import { eventsOf } from './events-of.ts';
import { openBatch, type OpenedBatch } from './open-batch.ts';
import { Pace } from './pace.ts';
import { UserState } from './user-state.ts';
import { writeDeviceChanges } from './write-device-changes.ts';
import { writeLayers } from './write-layers.ts';

/** A batch that could not be processed, with the error. */
export interface FailedBatch {
  batch: ClaimedBatch;
  error: unknown;
}

/** What one transaction may do. */
interface WorkLimits {
  /** Estimated work, in the units of `takePiece`. */
  work: number;
  pace: Pace;
  /** Called for every batch before it is processed. */
  onBegin: (batch: ClaimedBatch) => void;
}

/** What became of the batches of a transaction. */
export interface ProcessedBatches {
  failed: FailedBatch[];
  /** Batches of which only a part was processed. The next transaction continues. */
  unfinished: ClaimedBatch[];
  /** Number of batches left for another transaction, because the work of this one was used up. */
  leftCount: number;
}

/** The part of an opened batch that this transaction processes. */
interface Share {
  batch: OpenedBatch & ClaimedBatch;
  piece: BatchPiece;
  /** Counts of the parts that were processed earlier: new, updated, duplicate, deleted. */
  counts: readonly number[];
}

interface UserWork {
  state: UserState;
  batches: OpenedBatch[];
}

/**
 * Processes batches, with events and receipts, in the transaction that claimed them. Stops at the limits: a batch that does not fit is processed in
 * parts by several transactions, and gets its receipt with the last one.
 */
export async function processBatches(
  ctx: Pick<Context, 'newId' | 'config' | 'jobs' | 'rawPayloads'>,
  tx: Queryable,
  batches: readonly ClaimedBatch[],
  { work = Infinity, pace = new Pace(), onBegin = () => {} }: Partial<WorkLimits> = {},
): Promise<ProcessedBatches> {
  const { users, shares, failed } = await openShares(ctx, batches, { work, pace, onBegin });
  const leftCount = batches.length - shares.length - failed.length;
  if (shares.length === 0) return { failed, unfinished: [], leftCount };

  const outcomes = await applyBatches(tx, users, ctx.newId);
  const states = users.map(({ state }) => state);
  const events = states.flatMap((state) => eventsOf(state, ctx.newId));
  const isHistory = shares.every(({ batch }) => priorityOf(batch) === 'history');
  const scored = states.filter(({ scores }) => scores.days.size > 0);
  const finished = shares.filter(({ piece }) => piece.doneCount === piece.itemCount);
  const unfinished = shares.filter((share) => !finished.includes(share));
  const outcomeOf = new Map(outcomes.map((outcome) => [keyOf(outcome), outcome]));
  for (const { user, ranksChangedLater } of states)
    if (ranksChangedLater)
      await ctx.jobs.enqueue(tx, 'recut-user', { key: user.userId, data: { userId: user.userId } });
  await Promise.all([
    scored.length > 0 && markScoresStale(tx, scored.map(staleDaysOf), scoreWaits(ctx.config, { isHistory })),
    writeDeviceChanges(tx, states),
    writeLayers(tx, states),
    events.length > 0 && insertEvents(tx, events),
    finished.length > 0 &&
      writeReceipts(
        tx,
        finished.map((share) => receiptOf(share, outcomeOf.get(keyOf(share.batch))!)),
      ),
    markUsersSynced(
      tx,
      states.map(({ user, lastBatchMs, scores }) => ({
        userId: user.userId,
        lastBatchMs,
        scoring: scores.days.size > 0,
      })),
    ),
    finished.length > 0 &&
      deletePendingBatches(
        tx,
        finished.map(({ batch }) => batch),
      ),
    ...unfinished.map((share) => saveProgress(tx, share, outcomeOf.get(keyOf(share.batch))!)),
  ]);
  return { failed, unfinished: unfinished.map(({ batch }) => batch), leftCount };
}

/** Opens batches until the work is used up. */
async function openShares(
  ctx: Pick<Context, 'rawPayloads'>,
  batches: readonly ClaimedBatch[],
  { work, pace, onBegin }: WorkLimits,
): Promise<{ users: UserWork[]; shares: Share[]; failed: FailedBatch[] }> {
  const failed: FailedBatch[] = [];
  const users = new Map<string, UserWork>();
  const shares: Share[] = [];
  let workLeft = work;
  // Fails before any batch began, so an unreachable key store does not count as a failed attempt.
  const decrypt = await ctx.rawPayloads.readKeys(batches);
  for (const batch of batches) {
    if (workLeft <= 0) break;
    await pace.pause();
    try {
      const opened = openBatch({ ...batch, payload: decrypt(batch) });
      const deviceCount = (batch.devices ?? []).length + 1;
      const share = shareOf(opened, deviceCount, workLeft);
      const isWhole = share.piece.doneCount === share.piece.itemCount;
      // Opening a large batch again costs more than what little fits.
      if (!isWhole && shares.length > 0 && workLeft < work / 2) break;
      onBegin(batch);
      workLeft -= share.piece.work;
      shares.push(share);
      let own = users.get(batch.userId);
      if (!own)
        users.set(
          batch.userId,
          (own = { state: new UserState(batch, batch.devices ?? [], pace), batches: [] }),
        );
      own.batches.push({ ...opened, read: share.piece.read });
    } catch (error) {
      failed.push({ batch, error });
    }
  }
  return { users: [...users.values()], shares, failed };
}

function shareOf(batch: Share['batch'], deviceCount: number, mostWork: number): Share {
  const [itemCount = 0, doneCount = 0, ...counts] = batch.progress ?? [];
  const piece = takePiece(batch.read, doneCount, mostWork, deviceCount);
  // A node of another version that reads the batch differently starts over, which changes nothing that was processed.
  if (doneCount > 0 && itemCount !== piece.itemCount)
    return { batch, piece: takePiece(batch.read, 0, mostWork, deviceCount), counts: [] };
  return { batch, piece, counts };
}

function keyOf({ userId, batchId }: { userId: string; batchId: string }): string {
  return `${userId}/${batchId}`;
}

/** new, updated, duplicate, deleted: of this part and the earlier ones. */
function countsOf({ counts: before }: Share, { counts }: Outcome): number[] {
  return [counts.new, counts.updated, counts.duplicate, counts.deleted].map(
    (count, at) => count + (before[at] ?? 0),
  );
}

function receiptOf(share: Share, outcome: Outcome): ReceiptRow {
  const [fresh = 0, updated = 0, duplicate = 0, deleted = 0] = countsOf(share, outcome);
  const { userId, batchId, rejectedCount, rejected } = outcome;
  return {
    userId,
    batchId,
    failed: false,
    counts: [fresh, updated, duplicate, rejectedCount, deleted],
    rejected,
  };
}

async function saveProgress(tx: Queryable, share: Share, outcome: Outcome): Promise<void> {
  const { batch, piece } = share;
  await updateProgress(tx, batch, {
    progress: [piece.itemCount, piece.doneCount, ...countsOf(share, outcome)],
    // Failed attempts made the pieces smaller. Now they may grow again.
    attempts: Math.max(0, batch.attempts - 1),
  });
}
