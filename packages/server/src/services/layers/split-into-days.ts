import {
  chunkMs,
  dayEndMs,
  dayStartMs,
  findMetric,
  measuredAtOnceWith,
  metricOf,
  metricsFedBy,
  reachOf,
  scoreSamples,
  setPartial,
  summarize,
  type Chunk,
  type Partial,
  type Timezones,
} from '@tributary/domain';
import { daysOfChunk } from './load-layers.ts';
import type { UserState } from './user-state.ts';

/** Recomputes the contribution of every changed chunk to its days, and marks the metrics that may change as stale. */
export async function splitIntoDays(state: UserState): Promise<void> {
  const { timezones } = state.user;
  for (const { metricNo, deviceNo, chunk, content, changed, storedReachMs } of state.chunks.values()) {
    if (!changed || !content) continue;
    await state.pace.pause();
    const startMs = chunk * chunkMs;
    const reachMs = Math.max(storedReachMs, reachOf(content, startMs, chunkMs));
    for (const day of daysOfChunk(chunk, reachMs, timezones)) {
      const part = partOfDay(content, metricNo, chunk, day, timezones);
      const entry = state.day(day, deviceNo);
      // Scores use samples even if the day's value is a total that the device reported and that does not depend on them.
      const before = entry.content.sampled.get(metricNo)?.get(chunk) ?? null;
      if (sampledNumbers.has(metricNo) && !isSame(before, part)) state.scores.days.add(day);
      setPartial(entry.content, metricNo, chunk, part);
      entry.changed = true;
      for (const fed of metricsFedBy(metricNo)) state.markStale(day, fed);
    }
  }
}

/** The contribution of a chunk to a day. Null if there is none. */
export function partOfDay(
  content: Chunk,
  metricNo: number,
  chunk: number,
  day: number,
  timezones: Timezones,
): Partial | null {
  const [fromMs, toMs] = [dayStartMs(day, timezones), dayEndMs(day, timezones)];
  const { aggregation } = metricOf(metricNo);
  const keepsReadings = measuredAtOnceWith(metricNo) !== null;
  return summarize(content, chunk * chunkMs, fromMs, toMs, aggregation, keepsReadings);
}

const sampledNumbers = new Set(scoreSamples.map((id) => findMetric(id)!.no));

function isSame(before: Partial | null, after: Partial | null): boolean {
  if (!before || !after) return before === after;
  return (Object.keys(after) as (keyof Partial)[]).every((key) => before[key] === after[key]);
}
