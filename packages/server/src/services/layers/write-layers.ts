import {
  encodeChunk,
  encodeDeviceDay,
  encodeMonth,
  isEmptyDeviceDay,
  metricOf,
  printMonth,
} from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { writeChunks, writeDeviceDays, writeMonths } from '../../store/layers/writes.ts';
import { pack } from './packing.ts';
import type { UserState } from './user-state.ts';

/** Writes the changes of these users. The statements are pipelined. */
export async function writeLayers(tx: Queryable, states: readonly UserState[]): Promise<void> {
  const chunks: ChunkChange[] = [];
  const days: DeviceDayChange[] = [];
  const months: MonthChange[] = [];
  for (const state of states) {
    await addChunks(state, chunks);
    await addDays(state, days);
    await addMonths(state, months);
  }
  await Promise.all([
    chunks.length > 0 && writeChunks(tx, chunks),
    days.length > 0 && writeDeviceDays(tx, days),
    months.length > 0 && writeMonths(tx, months),
  ]);
}

type ChunkChange = Parameters<typeof writeChunks>[1][number];
type DeviceDayChange = Parameters<typeof writeDeviceDays>[1][number];
type MonthChange = Parameters<typeof writeMonths>[1][number];

async function addChunks(
  { user: { userId }, chunks, pace }: UserState,
  changes: ChunkChange[],
): Promise<void> {
  for (const { metricNo, deviceNo, chunk, content, changed } of chunks.values()) {
    if (!changed || !content) continue;
    await pace.pause();
    changes.push({ userId, metricNo, deviceNo, chunk, data: pack(encodeChunk(content, chunk)) });
  }
}

async function addDays(
  { user: { userId }, days, pace }: UserState,
  changes: DeviceDayChange[],
): Promise<void> {
  for (const [day, devices] of days)
    for (const [deviceNo, { content, changed }] of devices) {
      if (!changed) continue;
      await pace.pause();
      const data = isEmptyDeviceDay(content) ? null : pack(encodeDeviceDay(content, day));
      changes.push({ userId, day, deviceNo, data });
    }
}

async function addMonths(
  { user: { userId }, months, pace }: UserState,
  changes: MonthChange[],
): Promise<void> {
  for (const { metricNo, month, content, changed } of months.values()) {
    if (!changed) continue;
    await pace.pause();
    const isEmpty = content.every((value) => value === null);
    const printed = isEmpty ? '' : printMonth(content, metricOf(metricNo));
    changes.push({ userId, metricNo, month, printed, detail: isEmpty ? null : encodeMonth(content) });
  }
}
