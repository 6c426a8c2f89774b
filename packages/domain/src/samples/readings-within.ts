import type { Aggregation } from '../catalog/metric.ts';
import type { Chunk } from './chunk.ts';

/** The part of a reading that lies within a span of time. */
export type VisitPart = (
  /** The index of the reading in its chunk. */
  at: number,
  fromMs: number,
  toMs: number,
  value: number,
  /** The part of the value that belongs to this part of the time. Parts of a reading add up to its value exactly. */
  share: number,
) => void;

/**
 * Visits the readings of a chunk that lie between `fromMs` and `toMs`, in order. A reading that crosses a boundary is visited with the part
 * in between. A metric that takes the latest reading has no parts: its readings belong where they start.
 */
export function readingsWithin(
  { times, values, durations }: Chunk,
  startMs: number,
  fromMs: number,
  toMs: number,
  aggregation: Aggregation,
  visit: VisitPart,
): void {
  const canCross = durations !== null && aggregation !== 'last';
  for (let at = canCross ? 0 : lowerBound(times, fromMs - startMs); at < times.length; at += 1) {
    const timeMs = startMs + times[at]!;
    if (timeMs >= toMs) return;
    const value = values[at]!;
    if (Number.isNaN(value)) continue;
    const endMs = timeMs + (durations ? durations[at]! : 0);
    if (!canCross || (timeMs >= fromMs && endMs <= toMs)) {
      visit(at, timeMs, endMs, value, value);
      continue;
    }
    const [partFromMs, partToMs] = [Math.max(timeMs, fromMs), Math.min(endMs, toMs)];
    // Also for a day that a time zone skipped, which has no length.
    if (partToMs <= partFromMs) continue;
    const upTo = (instantMs: number) => Math.round((value * (instantMs - timeMs)) / (endMs - timeMs));
    visit(at, partFromMs, partToMs, value, upTo(partToMs) - upTo(partFromMs));
  }
}

/** The latest instant that a reading of the chunk reaches, at least the end of the chunk's span. */
export function reachOf({ times, durations }: Chunk, startMs: number, spanMs: number): number {
  let reachMs = startMs + spanMs;
  if (durations)
    for (let at = 0; at < times.length; at += 1)
      reachMs = Math.max(reachMs, startMs + times[at]! + durations[at]!);
  return reachMs;
}

function lowerBound(times: Int32Array, wanted: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
