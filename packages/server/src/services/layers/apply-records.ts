import {
  chunkOf,
  chunkMs,
  uuidBytes,
  type ChunkReadings,
  type Owner,
  type ReadBatch,
} from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { readRecords, writeRecords, type RecordRow } from '../../store/layers/device-records.ts';
import type { Device, UserState } from './user-state.ts';

/** A batch whose device is known. */
export interface PlacedBatch {
  state: UserState;
  device: Device;
  batchId: string;
  createdMs: number;
  read: ReadBatch;
  /** Deletions of records as readings without a value, merged like any other reading. */
  tombstones: ChunkReadings[];
}

/**
 * Turns deletions of records into readings without a value, at every time where a record with that ID existed. Deletions are stored, so that an older
 * record that arrives later stays deleted.
 */
export async function applyRecords(tx: Queryable, batches: readonly PlacedBatch[]): Promise<void> {
  const keys = new Map<string, Omit<RecordRow, 'slots' | 'deletedMs' | 'deletedBy'>>();
  for (const { state, device, read } of batches) {
    const { userId } = state.user;
    const deleted = read.deletions.filter(({ kind }) => kind === 'record');
    for (const { id } of [...read.records, ...deleted])
      keys.set(keyOf(userId, device.deviceNo, id), { userId, deviceNo: device.deviceNo, sourceId: id });
  }
  if (keys.size === 0) return;
  const known = new Map<string, RecordRow>();
  for (const row of await readRecords(tx, [...keys.values()])) {
    known.set(keyOf(row.userId, row.deviceNo, row.sourceId), row);
  }
  for (const batch of batches) {
    const { deviceNo } = batch.device;
    const rowOf = (id: string) => {
      const key = keyOf(batch.state.user.userId, deviceNo, id);
      let row = known.get(key);
      if (!row) known.set(key, (row = { ...keys.get(key)!, slots: [], deletedMs: null, deletedBy: null }));
      return row;
    };
    for (const { id, metricNo, startMs } of batch.read.records) {
      const row = rowOf(id);
      if (row.slots.some(([metric, start]) => metric === metricNo && start === startMs)) continue;
      row.slots.push([metricNo, startMs]);
      row.slots.sort(([metricA, startA], [metricB, startB]) => metricA - metricB || startA - startB);
      if (row.deletedMs !== null)
        batch.tombstones.push(tombstone(metricNo, startMs, row.deletedMs, row.deletedBy!));
    }
    for (const { kind, id } of batch.read.deletions) {
      if (kind !== 'record') continue;
      const row = rowOf(id);
      const later =
        row.deletedMs === null ||
        batch.createdMs > row.deletedMs ||
        (batch.createdMs === row.deletedMs && batch.batchId > row.deletedBy!);
      if (!later) continue;
      row.deletedMs = batch.createdMs;
      row.deletedBy = batch.batchId;
      for (const [metricNo, startMs] of row.slots)
        batch.tombstones.push(tombstone(metricNo, startMs, batch.createdMs, batch.batchId));
    }
  }
  await writeRecords(tx, [...known.values()]);
}

function keyOf(userId: string, deviceNo: number, sourceId: string): string {
  return `${userId}/${deviceNo}/${sourceId}`;
}

function tombstone(metricNo: number, startMs: number, createdMs: number, batchId: string): ChunkReadings {
  const owner: Owner = { createdMs, batchId: uuidBytes(batchId), utcOffsetMinutes: null, unitCode: 0 };
  const chunk = chunkOf(startMs);
  return {
    metricNo,
    chunk,
    readings: {
      times: Int32Array.of(startMs - chunk * chunkMs),
      values: Float64Array.of(Number.NaN),
      durations: null,
      ownerOf: Uint16Array.of(0),
      owners: [owner],
    },
  };
}
