import type { Interval } from '../consolidate/intervals.ts';
import type { Chunk } from './chunk.ts';

/** The readings of a chunk that start from `fromMs` up to `toMs`, as intervals. Values are millionths of the unit. */
export function intervalsOfChunk(chunk: Chunk, startMs: number, fromMs: number, toMs: number): Interval[] {
  const { times, values, durations } = chunk;
  const intervals: Interval[] = [];
  for (let at = 0; at < times.length; at += 1) {
    const from = startMs + times[at]!;
    const value = values[at]!;
    if (from < fromMs || from >= toMs || Number.isNaN(value)) continue;
    intervals.push({ startMs: from, endMs: from + (durations ? durations[at]! : 0), value });
  }
  return intervals;
}
