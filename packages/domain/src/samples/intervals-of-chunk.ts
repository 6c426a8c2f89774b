import type { Interval } from '../consolidate/intervals.ts';
import type { Chunk } from './chunk.ts';
import { readingsWithin } from './readings-within.ts';

/** The counted amounts of a chunk between `fromMs` and `toMs`, as intervals. Values are millionths of the unit. */
export function intervalsOfChunk(chunk: Chunk, startMs: number, fromMs: number, toMs: number): Interval[] {
  const intervals: Interval[] = [];
  readingsWithin(chunk, startMs, fromMs, toMs, 'sum', (at, partFromMs, partToMs, _, share) => {
    const beganMs = startMs + chunk.times[at]!;
    const part = { startMs: partFromMs, endMs: partToMs, value: share };
    intervals.push(beganMs < partFromMs ? { ...part, beganMs } : part);
  });
  return intervals;
}
