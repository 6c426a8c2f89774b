import type { BatchWire } from '@tributary/contract';
import { dayMs } from '../durations.ts';

/** The number of different UTC days on which the items of an upload start, which has a limit. */
export function countDays(body: BatchWire): number {
  const days = new Set<number>();
  const add = (timeMs: number) => days.add(Math.floor(timeMs / dayMs));
  for (const { start, interval_seconds: interval = 0, offsets_seconds: offsets, values } of body.series ??
    []) {
    const startMs = Date.parse(start);
    if (offsets) for (const offset of offsets) add(startMs + offset * 1000);
    else {
      // An interval is at most a day, so the values lie on every day between the first and the last.
      const last = Math.floor((startMs + (values.length - 1) * interval * 1000) / dayMs);
      for (let day = Math.floor(startMs / dayMs); day <= last; day += 1) days.add(day);
    }
  }
  for (const list of [body.records, body.sleep, body.workouts])
    for (const { start } of list ?? []) add(Date.parse(start));
  for (const { date } of body.daily ?? []) add(Date.parse(date));
  return days.size;
}
