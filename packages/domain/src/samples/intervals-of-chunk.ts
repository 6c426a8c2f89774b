import type { Interval } from '../consolidate/intervals.ts';
import type { Chunk } from './chunk.ts';
import { readingsWithin } from './readings-within.ts';

/** The counted amounts of a chunk between `fromMs` and `toMs`, as intervals. Values are millionths of the unit. */
export function intervalsOfChunk(chunk: Chunk, startMs: number, fromMs: number, toMs: number): Interval[] {
  const intervals: Interval[] = [];
  readingsWithin(chunk, startMs, fromMs, toMs, 'sum', (_, partFromMs, partToMs, __, share) => {
    intervals.push({ startMs: partFromMs, endMs: partToMs, value: share });
  });
  return intervals;
}
