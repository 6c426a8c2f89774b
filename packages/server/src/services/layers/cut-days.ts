import { chunkMs, dayEndMs, dayStartMs, metricsFedBy, setPartial, summarize } from '@tributary/domain';
import { daysOfChunk } from './load-layers.ts';
import type { UserState } from './user-state.ts';

/** Works out anew what every changed chunk gives to the days it lies in, and notes which answers that may change. */
export function cutDays(state: UserState): void {
  const { timezone } = state.user;
  for (const { metricNo, deviceNo, chunk, content, changed } of state.chunks.values()) {
    if (!changed || !content) continue;
    const startMs = chunk * chunkMs;
    for (const day of daysOfChunk(chunk, timezone)) {
      const part = summarize(content, startMs, dayStartMs(day, timezone), dayEndMs(day, timezone));
      const entry = state.day(day, deviceNo);
      setPartial(entry.content, metricNo, chunk, part);
      entry.changed = true;
      for (const fed of metricsFedBy(metricNo)) state.markStale(day, fed);
    }
  }
}
