import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database.ts';
import { inLongTransaction } from '../../store/long-transaction.ts';
import { lockUser } from '../../store/rebuild.ts';
import {
  deleteBatches,
  deleteDeviceData,
  deleteDeviceRow,
  findRemovedDevice,
  readBatchesUpToRemoval,
  type RemovedDevice,
} from '../../store/removed-devices.ts';
import { awaitBatchesUnderWay } from '../batches/await-batches-under-way.ts';
import { readDescription } from '../batches/read-description.ts';
import { rebuildAndTell } from '../users/rebuild-and-tell.ts';

/** Batches read at once, of up to eight megabytes each. */
const mostBatches = 20;

/**
 * Removes the history of a hidden device, with what arrived from it until then, and decides all answers again without it. In one
 * transaction, so that nobody sees half of it, and a cut leaves it as it was. What the device sent afterwards is its new connection's.
 */
export async function removeDevice(
  ctx: Pick<Context, 'operator' | 'newId' | 'clock' | 'config'>,
  { userId, deviceId }: { userId: string; deviceId: string },
): Promise<void> {
  await awaitBatchesUnderWay(ctx);
  await inLongTransaction(ctx.operator, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) return; // it is being erased, with all its devices
    const device = await findRemovedDevice(tx, userId, deviceId);
    if (!device) return; // done before
    await deleteDeviceData(tx, userId, device.deviceNo);
    await rebuildAndTell(ctx, tx, user, { from: 'normalized', change: 'deleted', deviceId });
    const batchIds = await listBatchesOf(tx, userId, device);
    // At the end, because it touches tables that all uploads go through.
    if (batchIds.length > 0) await deleteBatches(tx, userId, batchIds);
    await deleteDeviceRow(tx, userId, device.deviceNo);
  });
}

/** Only the payloads tell which batches came from a device. */
async function listBatchesOf(tx: Queryable, userId: string, device: RemovedDevice): Promise<string[]> {
  const found: string[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  while (device.stableId !== null) {
    const read = await readBatchesUpToRemoval(tx, userId, device.deviceNo, after, mostBatches);
    for (const batch of read) {
      const described = readDescription(batch);
      if (described?.provider === device.provider && described.deviceId === device.stableId)
        found.push(batch.batchId);
    }
    if (read.length < mostBatches) break;
    after = read.at(-1)!.batchId;
  }
  return found;
}
