import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database/database.ts';
import { insertEvents } from '../../store/events/events.ts';
import { priorityOf } from '../../store/uploads/batch-priority.ts';
import { deletePendingBatches, type ClaimedBatch } from '../../store/uploads/pending-batches.ts';
import { writeReceipts } from '../../store/uploads/receipts.ts';
import { markScoresStale } from '../../store/scores/stale.ts';
import { markUsersSynced } from '../../store/users/users.ts';
import { scoreWaits } from '../scores/score-waits.ts';
import { staleDaysOf } from '../scores/stale-days-of.ts';
import { applyBatches } from './apply-batches.ts';
import { eventsOf } from './events-of.ts';
import { openBatch, type OpenedBatch } from './open-batch.ts';
import { UserState } from './user-state.ts';
import { writeDeviceChanges } from './write-device-changes.ts';
import { writeLayers } from './write-layers.ts';

/** A batch that could not be processed, with the error. */
export interface FailedBatch {
  batch: ClaimedBatch;
  error: unknown;
}

/** Processes batches, with events and receipts, in the transaction that claimed them. Returns the batches that failed. */
export async function processBatches(
  ctx: Pick<Context, 'newId' | 'config'>,
  tx: Queryable,
  batches: readonly ClaimedBatch[],
): Promise<FailedBatch[]> {
  const failed: FailedBatch[] = [];
  const work = new Map<string, { state: UserState; batches: OpenedBatch[] }>();
  for (const batch of batches) {
    try {
      const opened = openBatch(batch);
      let own = work.get(batch.userId);
      if (!own)
        work.set(batch.userId, (own = { state: new UserState(batch, batch.devices ?? []), batches: [] }));
      own.batches.push(opened);
    } catch (error) {
      failed.push({ batch, error });
    }
  }
  const done = batches.filter((batch) => !failed.some((failure) => failure.batch === batch));
  if (done.length === 0) return failed;

  const outcomes = await applyBatches(tx, [...work.values()], ctx.newId);
  const states = [...work.values()].map(({ state }) => state);
  const events = states.flatMap((state) => eventsOf(state, ctx.newId));
  const isHistory = done.every((batch) => priorityOf(batch) === 'history');
  const scored = states.filter(({ scores }) => scores.days.size > 0);
  await Promise.all([
    scored.length > 0 && markScoresStale(tx, scored.map(staleDaysOf), scoreWaits(ctx.config, { isHistory })),
    writeDeviceChanges(tx, states),
    writeLayers(tx, states),
    events.length > 0 && insertEvents(tx, events),
    writeReceipts(
      tx,
      outcomes.map(({ userId, batchId, counts, rejectedCount, rejected }) => ({
        userId,
        batchId,
        failed: false,
        counts: [counts.new, counts.updated, counts.duplicate, rejectedCount, counts.deleted],
        rejected,
      })),
    ),
    markUsersSynced(
      tx,
      states.map(({ user, lastBatchMs, scores }) => ({
        userId: user.userId,
        lastBatchMs,
        scoring: scores.days.size > 0,
      })),
    ),
    deletePendingBatches(tx, done),
  ]);
  return failed;
}
