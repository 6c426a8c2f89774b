import {
  chunkMs,
  dayEndMs,
  dayStartMs,
  decodeChunk,
  intervalsOfChunk,
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

/** Loads the samples of stale metrics with the method `merge`, for every device with data on these days, unless they are in memory. */
export async function borrowChunks(
  tx: Queryable,
  state: UserState,
  days: readonly DayNumber[],
): Promise<Borrowed> {
  const { userId, timezone, settings } = state.user;
  const wanted = new Map<string, { userId: string; metricNo: number; deviceNo: number; chunk: number }>();
  for (const day of days) {
    for (const metricNo of state.stale.get(day) ?? []) {
      if (methodFor(settings, metricOf(metricNo)) !== 'merge') continue;
      for (const deviceNo of state.days.get(day)?.keys() ?? []) {
        for (const chunk of chunksOfDay(day, timezone)) {
          const key = `${metricNo}/${deviceNo}/${chunk}`;
          if (!state.chunks.has(key)) wanted.set(key, { userId, metricNo, deviceNo, chunk });
        }
      }
    }
  }
  const keys = [...wanted.values()];
  const rows = keys.length > 0 ? await readChunks(tx, keys) : [];
  for (const { at, data } of rows) {
    const { metricNo, deviceNo, chunk } = keys[at]!;
    state.chunk(metricNo, deviceNo, chunk).content = decodeChunk(unpack(data), chunk);
  }
  return [...wanted.keys()];
}

/** Releases borrowed chunks, because a long history would not fit in memory. */
export function returnChunks(state: UserState, borrowed: Borrowed): void {
  for (const key of borrowed) state.chunks.delete(key);
}

/** The intervals that a device counted on a local day. */
export function intervalsOfDay(
  state: UserState,
  day: DayNumber,
  metricNo: number,
  deviceNo: number,
): Interval[] {
  const { timezone } = state.user;
  const [fromMs, toMs] = [dayStartMs(day, timezone), dayEndMs(day, timezone)];
  return chunksOfDay(day, timezone).flatMap((chunk) => {
    const content = state.chunks.get(`${metricNo}/${deviceNo}/${chunk}`)?.content;
    return content ? intervalsOfChunk(content, chunk * chunkMs, fromMs, toMs) : [];
  });
}

/** The chunks that a local day overlaps. */
function chunksOfDay(day: DayNumber, timezone: string): number[] {
  const first = Math.floor(dayStartMs(day, timezone) / chunkMs);
  const last = Math.floor((dayEndMs(day, timezone) - 1) / chunkMs);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
