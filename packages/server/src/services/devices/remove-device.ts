import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database/database.ts';
import { inLongTransaction } from '../../store/database/long-transaction.ts';
import { lockUser } from '../../store/layers/rebuild.ts';
import {
  deleteBatches,
  deleteDeviceData,
  deleteDeviceRow,
  findRemovedDevice,
  readBatchesUpToRemoval,
  type RemovedDevice,
} from '../../store/devices/removed.ts';
import { awaitBatchesUnderWay } from '../batches/await-batches-under-way.ts';
import { readDescription } from '../batches/read-description.ts';
import { decryptIfReadable } from '../raw-payloads/raw-payloads.ts';
import { rebuildAndNotify } from '../users/rebuild-and-notify.ts';

/** Batches read per query, each up to 8 MB. */
const mostBatches = 20;

/**
 * Removes the history of a hidden device, with the batches that arrived before it was deleted, and recomputes all canonical values without it. It
 * runs in one transaction, so that no reader sees a partial state and an interruption changes nothing. Later batches belong to the device's new
 * connection.
 */
export async function removeDevice(
  ctx: Pick<Context, 'operator' | 'newId' | 'clock' | 'config' | 'rawPayloads'>,
  { userId, deviceId }: { userId: string; deviceId: string },
): Promise<void> {
  await awaitBatchesUnderWay(ctx);
  await inLongTransaction(ctx.operator, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) return; // the user is being erased, with all devices
    const device = await findRemovedDevice(tx, userId, deviceId);
    if (!device) return; // already removed
    await deleteDeviceData(tx, userId, device.deviceNo);
    await rebuildAndNotify(ctx, tx, user, { from: 'normalized', change: 'deleted', deviceId });
    const batchIds = await listBatchesOf(ctx, tx, userId, device);
    // Last, because it locks rows in tables that every upload uses.
    if (batchIds.length > 0) await deleteBatches(tx, userId, batchIds);
    await deleteDeviceRow(tx, userId, device.deviceNo);
  });
}

/** Only the payload identifies the device of a batch. */
async function listBatchesOf(
  ctx: Pick<Context, 'rawPayloads'>,
  tx: Queryable,
  userId: string,
  device: RemovedDevice,
): Promise<string[]> {
  const batchIds: string[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  while (device.stableId !== null) {
    const read = await readBatchesUpToRemoval(tx, userId, device.deviceNo, after, mostBatches);
    const stored = read.map((batch) => ({ ...batch, userId }));
    const decrypt = await ctx.rawPayloads.readKeys(stored);
    for (const batch of stored) {
      const payload = decryptIfReadable(decrypt, batch);
      const described = payload && readDescription({ ...batch, payload });
      if (described?.provider === device.provider && described.deviceId === device.stableId)
        batchIds.push(batch.batchId);
    }
    if (read.length < mostBatches) break;
    after = read.at(-1)!.batchId;
  }
  return batchIds;
}
