import { chunkMs, decodeChunk, decodeDeviceDay, metricsFedBy, reachOf, setPartial } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database/database.ts';
import { readAllDeviceDays } from '../../store/layers/reads.ts';
import {
  clearCanonical,
  clearNormalized,
  digestCanonical,
  lockUser,
  readChunksAfter,
  readRawAfter,
  type LockedUser,
  type RawRow,
} from '../../store/layers/rebuild.ts';
import { resetProgress } from '../../store/uploads/pending-batches.ts';
import { touchUser } from '../../store/users/read.ts';
import { applyBatches } from './apply-batches.ts';
import { applyEffect } from './apply-effects.ts';
import { decideAll } from './decide-sessions.ts';
import { consolidateDays } from './consolidate-days.ts';
import { daysOfChunk } from './load-layers.ts';
import { openBatch } from './open-batch.ts';
import { unpack } from './packing.ts';
import { sleepRules } from './sleep-rules.ts';
import { partOfDay } from './split-into-days.ts';
import { UserState } from './user-state.ts';
import { workoutRules } from './workout-rules.ts';
import { writeLayers } from './write-layers.ts';

const batchesAtOnce = 200;
const chunksAtOnce = 500;

/** Thrown if a user cannot be rebuilt from raw because the raw layer is no longer complete. */
export class RawIncompleteError extends Error {
  override name = 'RawIncompleteError';
}

/**
 * Rebuilds a user's layers from raw or from the normalized layer in the transaction `tx`, and returns whether canonical values changed. They change
 * only if a rule, the time zone or the devices changed.
 */
export async function rebuildUser(
  ctx: Pick<Context, 'newId' | 'rawPayloads'>,
  tx: Queryable,
  userId: string,
  from: 'raw' | 'normalized',
): Promise<{ changed: boolean }> {
  const user = await lockUser(tx, userId);
  if (!user) return { changed: false };
  const before = await digestCanonical(tx, userId);
  if (from === 'raw') await rebuildNormalized(ctx, tx, user);
  await rebuildCanonical(tx, user);
  await touchUser(tx, userId);
  return { changed: (await digestCanonical(tx, userId)) !== before };
}

/** Clears the normalized layer and applies every raw batch again. Devices keep their numbers. */
async function rebuildNormalized(
  ctx: Pick<Context, 'newId' | 'rawPayloads'>,
  tx: Queryable,
  user: LockedUser,
): Promise<void> {
  if (user.rawCompleteSince !== null) {
    throw new RawIncompleteError(
      `Raw data for this user is complete only since ${user.rawCompleteSince}. Older data is past retention, and a rebuild would lose it. Rebuild from normalized instead.`,
    );
  }
  await resetProgress(tx, user.userId);
  await clearNormalized(tx, user.userId);
  await clearCanonical(tx, user.userId);
  let last: string | null = null;
  for (;;) {
    const batches: RawRow[] = await readRawAfter(tx, user.userId, last, batchesAtOnce);
    if (batches.length === 0) return;
    const state = new UserState(user, user.devices ?? []);
    const owned = batches.map((batch) => ({ ...batch, userId: user.userId }));
    const decrypt = await ctx.rawPayloads.readKeys(owned);
    const opened = owned.map((batch) => openBatch({ ...batch, payload: decrypt(batch) }));
    await applyBatches(tx, [{ state, batches: opened }], ctx.newId);
    await writeLayers(tx, [state]);
    last = batches.at(-1)!.batchId;
  }
}

/** Splits the normalized layer into days again and recomputes every canonical value. */
async function rebuildCanonical(tx: Queryable, user: LockedUser): Promise<void> {
  const state = new UserState(user, user.devices ?? []);
  const stored = await readAllDeviceDays(tx, user.userId);
  await clearCanonical(tx, user.userId);
  for (const { day, deviceNo, data } of stored) {
    // Keep the totals that a platform assigned to a day itself. Everything else is recomputed.
    const entry = state.day(day, deviceNo);
    entry.content.reported = decodeDeviceDay(unpack(data), day).reported;
    entry.changed = true;
    for (const metricNo of entry.content.reported.keys()) state.markStale(day, metricNo);
  }
  await splitAllChunks(tx, state);
  const effects = [
    ...(await decideAll(tx, state, sleepRules)),
    ...(await decideAll(tx, state, workoutRules)),
  ];
  for (const effect of effects) applyEffect(effect);
  await consolidateDays(tx, state);
  await writeLayers(tx, [state]);
}

async function splitAllChunks(tx: Queryable, state: UserState): Promise<void> {
  const { userId, timezones } = state.user;
  let last = { metricNo: 0, deviceNo: 0, chunk: -1 };
  for (;;) {
    const rows = await readChunksAfter(tx, userId, last, chunksAtOnce);
    for (const { metricNo, deviceNo, chunk, data } of rows) {
      const content = decodeChunk(unpack(data), chunk);
      for (const day of daysOfChunk(chunk, reachOf(content, chunk * chunkMs, chunkMs), timezones)) {
        const part = partOfDay(content, metricNo, chunk, day, timezones);
        if (!part) continue;
        const entry = state.day(day, deviceNo);
        setPartial(entry.content, metricNo, chunk, part);
        entry.changed = true;
        for (const fed of metricsFedBy(metricNo)) state.markStale(day, fed);
      }
    }
    if (rows.length < chunksAtOnce) return;
    last = rows.at(-1)!;
  }
}
