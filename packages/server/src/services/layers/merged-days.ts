import {
  canMerge,
  chunkMs,
  dayEndMs,
  dayStartMs,
  decodeChunk,
  intervalsOfChunk,
  isEnabled,
  isHealthStore,
  isUnworn,
  methodFor,
  metricOf,
  type DayNumber,
  type Interval,
} from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { readChunks } from '../../store/layers/reads.ts';
import { unpack } from './packing.ts';
import type { UserState } from './user-state.ts';

/** Keys of chunks that were loaded only to merge devices. */
type Borrowed = readonly string[];

/** Loads the samples of stale metrics that are merged over time on these days, unless they are in memory. */
export async function borrowChunks(
  tx: Queryable,
  state: UserState,
  days: readonly DayNumber[],
): Promise<Borrowed> {
  const { userId } = state.user;
  const wanted = new Map<string, { userId: string; metricNo: number; deviceNo: number; chunk: number }>();
  for (const day of days) {
    for (const metricNo of state.stale.get(day) ?? []) {
      for (const deviceNo of devicesToMerge(state, day, metricNo)) {
        for (const chunk of chunksBehind(state, day, metricNo, deviceNo)) {
          const key = `${metricNo}/${deviceNo}/${chunk}`;
          if (!state.chunks.has(key)) wanted.set(key, { userId, metricNo, deviceNo, chunk });
        }
      }
    }
  }
  const keys = [...wanted.values()];
  const rows = keys.length > 0 ? await readChunks(tx, keys) : [];
  for (const { at, data } of rows) {
    await state.pace.pause();
    const { metricNo, deviceNo, chunk } = keys[at]!;
    state.chunk(metricNo, deviceNo, chunk).content = decodeChunk(unpack(data), chunk);
  }
  return [...wanted.keys()];
}

/** Releases borrowed chunks, because a long history would not fit in memory. */
export function returnChunks(state: UserState, borrowed: Borrowed): void {
  for (const key of borrowed) state.chunks.delete(key);
}

/** The devices whose samples are merged over time: all enabled ones for `merge`, else those of a health store of which several were worn. */
export function devicesToMerge(state: UserState, day: DayNumber, metricNo: number): number[] {
  const metric = metricOf(metricNo);
  if (!canMerge(metric)) return [];
  const devices = state.devices.filter(
    ({ deviceNo, removedMs, provider }) =>
      removedMs === null &&
      state.days.get(day)?.get(deviceNo)?.content.sampled.has(metricNo) &&
      isEnabled(state.user.settings, metric, provider),
  );
  const isMerged = methodFor(state.user.settings, metric) === 'merge';
  const worn = devices.filter(
    ({ deviceNo }) => !isUnworn(state.days.get(day)!.get(deviceNo)!.content, metricNo),
  );
  return devices
    .filter(
      ({ provider }) =>
        isMerged ||
        (isHealthStore(provider) && worn.filter((other) => other.provider === provider).length > 1),
    )
    .map(({ deviceNo }) => deviceNo);
}

/** The intervals that a device counted on a local day. Its samples must be in memory. */
export function intervalsOfDay(
  state: UserState,
  day: DayNumber,
  metricNo: number,
  deviceNo: number,
): Interval[] {
  const { timezones } = state.user;
  const [fromMs, toMs] = [dayStartMs(day, timezones), dayEndMs(day, timezones)];
  return chunksBehind(state, day, metricNo, deviceNo).flatMap((chunk) => {
    const content = state.chunks.get(`${metricNo}/${deviceNo}/${chunk}`)?.content;
    return content ? intervalsOfChunk(content, chunk * chunkMs, fromMs, toMs) : [];
  });
}

/** The chunks with samples of a device for a local day. */
function chunksBehind(state: UserState, day: DayNumber, metricNo: number, deviceNo: number): number[] {
  const parts = state.days.get(day)?.get(deviceNo)?.content.sampled.get(metricNo);
  return [...(parts?.keys() ?? [])].sort((a, b) => a - b);
}
