import {
  chunkMs,
  dayOf,
  decodeChunk,
  decodeDeviceDay,
  decodeMonth,
  firstDayOf,
  metricsFedBy,
  metricsOfDay,
  placeInMonth,
  withDerived,
  type DayNumber,
} from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import {
  readAllDeviceDays,
  readAllMonths,
  readCanonicalValuesOfMonth,
  readChunks,
  readDeviceDays,
  readMonths,
} from '../../store/layers/reads.ts';
import { unpack } from './packing.ts';
import type { UserState } from './user-state.ts';

/** The data that must be in memory before batches can be applied to a user. */
export interface Needed {
  state: UserState;
  /** Chunks that get readings. */
  chunks: { metricNo: number; deviceNo: number; chunk: number }[];
  /** Days and metrics that get a value from other data. */
  days: { day: number; metricNo: number }[];
}

/** The days that a chunk overlaps, in the user's time zone. */
export function daysOfChunk(chunk: number, timezone: string): number[] {
  const first = dayOf(chunk * chunkMs, timezone);
  const last = dayOf((chunk + 1) * chunkMs - 1, timezone);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Loads everything that the batches affect, for all users in one round trip. */
export async function loadLayers(tx: Queryable, needed: readonly Needed[]): Promise<void> {
  const chunks = needed.flatMap(({ state, chunks: wanted }) =>
    wanted
      .filter(({ deviceNo }) => !isNew(state, deviceNo))
      .map((key) => ({
        userId: state.user.userId,
        ...key,
        entry: state.chunk(key.metricNo, key.deviceNo, key.chunk),
      })),
  );
  const days: { userId: string; day: number; state: UserState }[] = [];
  const months: { userId: string; metricNo: number; month: number; day: number; state: UserState }[] = [];
  for (const { state, chunks: wanted, days: other } of needed) {
    const { userId, timezone } = state.user;
    const seenDays = new Set<number>();
    const seenMonths = new Set<string>();
    const want = (day: number, metrics: readonly number[]) => {
      if (!seenDays.has(day)) days.push({ userId, day, state });
      seenDays.add(day);
      for (const metricNo of withDerived(metrics)) {
        const { month } = placeInMonth(day);
        const key = `${metricNo}/${month}`;
        if (seenMonths.has(key)) continue;
        seenMonths.add(key);
        months.push({ userId, metricNo, month, day, state });
      }
    };
    for (const { chunk, metricNo } of wanted)
      for (const day of daysOfChunk(chunk, timezone)) want(day, metricsFedBy(metricNo));
    for (const { day, metricNo } of other) want(day, [metricNo]);
  }
  const stateOf = new Map(needed.map(({ state }) => [state.user.userId, state]));
  const [chunkRows, dayRows, monthRows] = await Promise.all([
    chunks.length > 0 ? readChunks(tx, chunks) : [],
    days.length > 0 ? readDeviceDays(tx, days) : [],
    months.length > 0 ? readMonths(tx, months) : [],
  ]);
  for (const { at, data } of chunkRows) {
    const { entry } = chunks[at]!;
    entry.content = decodeChunk(unpack(data), entry.chunk);
  }
  for (const { userId, day, deviceNo, data } of dayRows) {
    stateOf.get(userId)!.day(day, deviceNo).content = decodeDeviceDay(unpack(data), day);
  }
  for (const { at, detail } of monthRows) {
    const { state, metricNo, day } = months[at]!;
    state.month(metricNo, day).content = decodeMonth(detail);
  }
}

/** Loads all days and canonical values of a user that are not in memory yet, and marks all of them as stale. */
export async function loadAllDays(tx: Queryable, state: UserState): Promise<void> {
  const { userId } = state.user;
  const [dayRows, monthRows] = await Promise.all([readAllDeviceDays(tx, userId), readAllMonths(tx, userId)]);
  for (const { day, deviceNo, data } of dayRows) {
    if (state.days.get(day)?.has(deviceNo)) continue;
    state.day(day, deviceNo).content = decodeDeviceDay(unpack(data), day);
  }
  for (const { metricNo, month, detail } of monthRows) {
    if (state.months.has(`${metricNo}/${month}`)) continue;
    state.month(metricNo, firstDayOf(month)).content = decodeMonth(detail);
  }
  markAllStale(state);
}

/** Loads some days of one calendar month, and marks them as stale. */
export async function loadDaysOfMonth(
  tx: Queryable,
  state: UserState,
  days: readonly DayNumber[],
): Promise<void> {
  const { userId } = state.user;
  const { month } = placeInMonth(days[0]!);
  const [dayRows, monthRows] = await Promise.all([
    readDeviceDays(
      tx,
      days.map((day) => ({ userId, day })),
    ),
    readCanonicalValuesOfMonth(tx, userId, month),
  ]);
  for (const { day, deviceNo, data } of dayRows)
    state.day(day, deviceNo).content = decodeDeviceDay(unpack(data), day);
  for (const { metricNo, detail } of monthRows) state.month(metricNo, days[0]!).content = decodeMonth(detail);
  markAllStale(state);
}

function markAllStale(state: UserState): void {
  for (const [day, devices] of state.days)
    for (const { content } of devices.values())
      for (const metricNo of metricsOfDay(content)) state.markStale(day, metricNo);
}

function isNew(state: UserState, deviceNo: number): boolean {
  return state.devices.some((device) => device.deviceNo === deviceNo && device.change === 'new');
}
