import { addVersion, deleteRecord, type ReadBatch, type Retire, type Tombstones } from '@tributary/domain';
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
  /** Readings without a value, for deleted and replaced records. They are merged like any other reading. */
  tombstones: Tombstones;
}

/**
 * Finds the readings that no longer count, because their record was deleted or sent again with the same ID, and turns them into readings
 * without a value. Stamps of the latest version and deletion are stored, so that an older record that arrives later does not count either.
 */
export async function applyRecords(tx: Queryable, batches: readonly PlacedBatch[]): Promise<void> {
  const keys = new Map<string, Pick<RecordRow, 'userId' | 'deviceNo' | 'sourceId'>>();
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
    const rowOf = (id: string) => {
      const key = keyOf(batch.state.user.userId, batch.device.deviceNo, id);
      let row = known.get(key);
      if (!row) known.set(key, (row = { ...keys.get(key)!, slots: [], deletedMs: null, deletedBy: null }));
      return row;
    };
    const retire: Retire = (metricNo, startMs, stamp) => batch.tombstones.add(metricNo, startMs, stamp);
    for (const { id, metricNo, startMs, stamp } of batch.read.records)
      addVersion(rowOf(id), metricNo, startMs, stamp, retire);
    for (const { kind, id } of batch.read.deletions)
      if (kind === 'record') deleteRecord(rowOf(id), batch, retire);
  }
  await writeRecords(tx, [...known.values()]);
}

function keyOf(userId: string, deviceNo: number, sourceId: string): string {
  return `${userId}/${deviceNo}/${sourceId}`;
}
