import {
  chunkMs,
  dayEndMs,
  dayStartMs,
  findMetric,
  metricsFedBy,
  scoreSamples,
  setPartial,
  summarize,
  type Partial,
} from '@tributary/domain';
import { daysOfChunk } from './load-layers.ts';
import type { UserState } from './user-state.ts';

/** Recomputes the contribution of every changed chunk to its days, and marks the metrics that may change as stale. */
export function splitIntoDays(state: UserState): void {
  const { timezone } = state.user;
  for (const { metricNo, deviceNo, chunk, content, changed } of state.chunks.values()) {
    if (!changed || !content) continue;
    const startMs = chunk * chunkMs;
    for (const day of daysOfChunk(chunk, timezone)) {
      const part = summarize(content, startMs, dayStartMs(day, timezone), dayEndMs(day, timezone));
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

const sampledNumbers = new Set(scoreSamples.map((id) => findMetric(id)!.no));

function isSame(before: Partial | null, after: Partial | null): boolean {
  if (!before || !after) return before === after;
  return (Object.keys(after) as (keyof Partial)[]).every((key) => before[key] === after[key]);
}
