import { minuteMs } from '../durations.ts';
import type { Chunk } from './chunk.ts';
import { readingsWithin } from './readings-within.ts';

/** A span of time with the value that applies to it, in millionths of the unit. */
export interface ValueSpan {
  startMs: number;
  endMs: number;
  micros: number;
}

/**
 * The spans that readings cover between `fromMs` and `toMs`. A reading longer than a minute covers its duration. All others cover the minute
 * they start in, with their mean. Daily means and peaks use the same rule.
 */
export function valueSpansOf(chunk: Chunk, startMs: number, fromMs: number, toMs: number): ValueSpan[] {
  const { durations } = chunk;
  const spans: ValueSpan[] = [];
  let minute = -1;
  let sum = 0;
  let count = 0;
  const endMinute = () => {
    if (count > 0) {
      const from = minute * minuteMs;
      spans.push({ startMs: from, endMs: from + minuteMs, micros: sum / count });
    }
    sum = 0;
    count = 0;
  };
  readingsWithin(chunk, startMs, fromMs, toMs, 'avg', (at, partFromMs, partToMs, value) => {
    if ((durations ? durations[at]! : 0) > minuteMs) {
      spans.push({ startMs: partFromMs, endMs: partToMs, micros: value });
      return;
    }
    const here = Math.floor(partFromMs / minuteMs);
    if (here !== minute) endMinute();
    minute = here;
    sum += value;
    count += 1;
  });
  endMinute();
  return spans;
}
