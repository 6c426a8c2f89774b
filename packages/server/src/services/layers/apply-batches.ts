import type { BatchRejectionWire } from '@tributary/contract';
import { mergeChunks, noCounts, reportTotal, Tombstones, type MergeCounts } from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { applyRecords, type PlacedBatch } from './apply-records.ts';
import { applyEffect, daysOfEffects } from './apply-effects.ts';
import { applySessions } from './apply-sessions.ts';
import { consolidateDays } from './consolidate-days.ts';
import { splitIntoDays } from './split-into-days.ts';
import { hasMoreDeviceDays } from '../../store/layers/reads.ts';
import { loadAllDays, loadLayers, recheckWear } from './load-layers.ts';
import type { OpenedBatch } from './open-batch.ts';
import { resolveDevice } from './resolve-device.ts';
import type { UserState } from './user-state.ts';

/** The result of processing one batch. */
export interface Outcome {
  userId: string;
  batchId: string;
  counts: MergeCounts;
  rejectedCount: number;
  rejected: readonly BatchRejectionWire[];
}

/** Number of days, of one device each, that are recomputed at once when the ranks of devices change. */
const mostDeviceDays = 3_000;

/**
 * Applies batches to the layers of their users in memory: merges their data with the stored data, splits it into days, and recomputes every affected
 * canonical value. Sums are always recomputed from the stored readings and never incremented, so that a repeat changes nothing.
 */
export async function applyBatches(
  tx: Queryable,
  work: readonly { state: UserState; batches: readonly OpenedBatch[] }[],
  newId: () => string,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const placed: (PlacedBatch & { counts: MergeCounts })[] = [];
  for (const { state, batches } of work) {
    for (const batch of batches) {
      const { rejections, repeats } = batch.read;
      const counts = noCounts();
      counts.duplicate += repeats;
      outcomes.push({
        userId: state.user.userId,
        batchId: batch.batchId,
        counts,
        rejectedCount: rejections.count,
        rejected: rejections.listed,
      });
      state.lastBatchMs = Math.max(state.lastBatchMs, batch.receivedMs);
      const device = resolveDevice(state, batch, newId);
      if (device) placed.push({ ...batch, state, device, counts, tombstones: new Tombstones() });
    }
  }

  for (const { state } of work) if (state.ranksChanged) await leaveLongHistory(tx, state);
  await applyRecords(tx, placed);
  const effects = await applySessions(tx, placed);
  await loadLayers(
    tx,
    work.map(({ state }) => {
      const own = placed.filter((batch) => batch.state === state);
      return {
        state,
        chunks: own.flatMap(({ device: { deviceNo }, read, tombstones }) =>
          [...tombstones.chunks(), ...read.samples].map((part) => ({ ...part, deviceNo })),
        ),
        days: [
          ...own.flatMap(({ read }) => read.totals.map(({ day, metricNo }) => ({ day, metricNo }))),
          ...daysOfEffects(effects.filter((effect) => effect.state === state)),
        ],
      };
    }),
  );

  for (const { state, device, read, tombstones, counts } of placed) {
    // Tombstones first: a reading that no longer counts is then a duplicate, not new and deleted.
    for (const { metricNo, chunk, readings } of [...tombstones.chunks(), ...read.samples]) {
      await state.pace.pause();
      const entry = state.chunk(metricNo, device.deviceNo, chunk);
      entry.content = mergeChunks(entry.content, readings, counts);
      entry.changed = true;
    }
    // If a batch lists two totals for a day, the last one counts. Reverse the list, because the first one reported is kept.
    for (const { day, metricNo, micros, owner } of read.totals.toReversed()) {
      const entry = state.day(day, device.deviceNo);
      counts[reportTotal(entry.content, metricNo, { micros, owner })] += 1;
      entry.changed = true;
      state.markStale(day, metricNo);
    }
  }
  for (const effect of effects) applyEffect(effect);
  for (const { state } of work) {
    await splitIntoDays(state);
    await recheckWear(tx, state);
    if (state.ranksChanged) await loadAllDays(tx, state);
    await consolidateDays(tx, state);
  }
  return outcomes;
}

/** Recomputing a long history would hold the user and the transaction for too long. A job does it. */
async function leaveLongHistory(tx: Queryable, state: UserState): Promise<void> {
  if (!(await hasMoreDeviceDays(tx, state.user.userId, mostDeviceDays))) return;
  state.ranksChanged = false;
  state.ranksChangedLater = true;
}
