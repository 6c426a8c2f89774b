import {
  chunkMs,
  countsOfNothing,
  dayOf,
  decodeChunk,
  decodeDeviceDay,
  decodeMonth,
  firstDayOf,
  metricsFedBy,
  metricsOfDay,
  placeInMonth,
  reachOf,
  showsWear,
  withDerived,
  type Chunk,
  type DayNumber,
  type Timezones,
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
import { workoutCount } from './consolidate-days.ts';
import { unpack } from './packing.ts';
import type { UserState } from './user-state.ts';

/** The data that must be in memory before batches can be applied to a user. */
export interface Needed {
  state: UserState;
  /** Chunks that get readings. */
  chunks: { metricNo: number; deviceNo: number; chunk: number; readings: Chunk }[];
  /** Days and metrics that get a value from other data. */
  days: { day: number; metricNo: number }[];
}

/** The days that the readings of a chunk overlap, in the user's time zones. Readings may last longer than the chunk. */
export function daysOfChunk(chunk: number, reachMs: number, timezones: Timezones): number[] {
  const first = dayOf(chunk * chunkMs, timezones);
  const last = dayOf(Math.max(reachMs, (chunk + 1) * chunkMs) - 1, timezones);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Loads everything that the batches affect, for all users in one round trip. */
export async function loadLayers(tx: Queryable, needed: readonly Needed[]): Promise<void> {
  const stored = needed.flatMap(({ state, chunks: wanted }) =>
    wanted
      .filter(({ deviceNo }) => !isNew(state, deviceNo))
      .map(({ metricNo, deviceNo, chunk }) => ({
        userId: state.user.userId,
        metricNo,
        deviceNo,
        chunk,
        state,
        entry: state.chunk(metricNo, deviceNo, chunk),
      })),
  );
  const days = new DaysToLoad();
  for (const { state, chunks: wanted, days: other } of needed) {
    for (const { chunk, metricNo, readings } of wanted)
      days.addChunk(state, metricNo, chunk, reachOf(readings, chunk * chunkMs, chunkMs));
    for (const { day, metricNo } of other) days.add(state, day, [metricNo]);
  }
  const [chunkRows] = await Promise.all([stored.length > 0 ? readChunks(tx, stored) : [], days.load(tx)]);
  for (const { at, data } of chunkRows) {
    const { state, metricNo, chunk, entry } = stored[at]!;
    await state.pace.pause();
    entry.content = decodeChunk(unpack(data), chunk);
    entry.storedReachMs = reachOf(entry.content, chunk * chunkMs, chunkMs);
    days.addChunk(state, metricNo, chunk, entry.storedReachMs);
  }
  // A stored reading may reach into a day that the new ones do not. That is rare.
  await days.load(tx);
}

/** Days and months to load, each once. */
class DaysToLoad {
  readonly #seen = new Set<string>();
  #days: { userId: string; day: number; state: UserState }[] = [];
  #months: { userId: string; metricNo: number; month: number; day: number; state: UserState }[] = [];

  add(state: UserState, day: number, metrics: readonly number[]): void {
    const { userId } = state.user;
    const { month } = placeInMonth(day);
    if (this.#isFirst(`${userId}/day/${day}`)) this.#days.push({ userId, day, state });
    for (const metricNo of withDerived([...metrics, workoutCount.no]))
      if (this.#isFirst(`${userId}/${metricNo}/${month}`))
        this.#months.push({ userId, metricNo, month, day, state });
  }

  addChunk(state: UserState, metricNo: number, chunk: number, reachMs: number): void {
    for (const day of daysOfChunk(chunk, reachMs, state.user.timezones))
      this.add(state, day, metricsFedBy(metricNo));
  }

  async load(tx: Queryable): Promise<void> {
    const [days, months] = [this.#days, this.#months];
    [this.#days, this.#months] = [[], []];
    const stateOf = new Map(days.map(({ userId, state }) => [userId, state]));
    const [dayRows, monthRows] = await Promise.all([
      days.length > 0 ? readDeviceDays(tx, days) : [],
      months.length > 0 ? readMonths(tx, months) : [],
    ]);
    for (const { userId, day, deviceNo, data } of dayRows) {
      const state = stateOf.get(userId)!;
      await state.pace.pause();
      const entry = state.day(day, deviceNo);
      entry.content = decodeDeviceDay(unpack(data), day);
      entry.wasWorn = showsWear(entry.content);
    }
    for (const { at, detail } of monthRows) {
      const { state, metricNo, day } = months[at]!;
      await state.pace.pause();
      state.month(metricNo, day).content = decodeMonth(detail);
    }
  }

  #isFirst(key: string): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}

/**
 * Marks counts of nothing as stale if it changed whether their device was worn, because that decides whether they count, and loads their
 * canonical values.
 */
export async function recheckWear(tx: Queryable, state: UserState): Promise<void> {
  const { userId } = state.user;
  const months = new Map<string, { userId: string; metricNo: number; month: number; day: number }>();
  for (const [day, devices] of state.days)
    for (const { content, wasWorn, changed } of devices.values()) {
      if (!changed || showsWear(content) === wasWorn) continue;
      const counts = countsOfNothing(content);
      for (const metricNo of counts) state.markStale(day, metricNo);
      for (const metricNo of withDerived(counts)) {
        const { month } = placeInMonth(day);
        const key = `${metricNo}/${month}`;
        if (!state.months.has(key)) months.set(key, { userId, metricNo, month, day });
      }
    }
  const wanted = [...months.values()];
  if (wanted.length === 0) return;
  for (const { at, detail } of await readMonths(tx, wanted)) {
    const { metricNo, day } = wanted[at]!;
    state.month(metricNo, day).content = decodeMonth(detail);
  }
}

/** Loads all days and canonical values of a user that are not in memory yet, and marks all of them as stale. */
export async function loadAllDays(tx: Queryable, state: UserState): Promise<void> {
  const { userId } = state.user;
  const [dayRows, monthRows] = await Promise.all([readAllDeviceDays(tx, userId), readAllMonths(tx, userId)]);
  for (const { day, deviceNo, data } of dayRows) {
    if (state.days.get(day)?.has(deviceNo)) continue;
    await state.pace.pause();
    state.day(day, deviceNo).content = decodeDeviceDay(unpack(data), day);
  }
  for (const { metricNo, month, detail } of monthRows) {
    if (state.months.has(`${metricNo}/${month}`)) continue;
    await state.pace.pause();
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
