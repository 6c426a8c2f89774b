import { minuteMs } from '../durations.ts';
import type { Chunk } from './chunk.ts';

/** A span of time with the value that applies to it, in millionths of the unit. */
export interface ValueSpan {
  startMs: number;
  endMs: number;
  micros: number;
}

/**
 * The spans that readings starting from `fromMs` up to `toMs` cover. A reading longer than a minute covers its duration. All others cover
 * the minute they start in, with their mean. Daily means and peaks use the same rule.
 */
export function valueSpansOf(chunk: Chunk, startMs: number, fromMs: number, toMs: number): ValueSpan[] {
  const { times, values, durations } = chunk;
  const spans: ValueSpan[] = [];
  let minute = -1;
  let sum = 0;
  let count = 0;
  const endMinute = () => {
    if (count > 0) {
      const from = startMs + minute * minuteMs;
      spans.push({ startMs: from, endMs: from + minuteMs, micros: sum / count });
    }
    sum = 0;
    count = 0;
  };
  for (let at = 0; at < times.length; at += 1) {
    const time = times[at]!;
    const value = values[at]!;
    if (startMs + time < fromMs || startMs + time >= toMs || Number.isNaN(value)) continue;
    const duration = durations ? durations[at]! : 0;
    if (duration > minuteMs) {
      spans.push({ startMs: startMs + time, endMs: startMs + time + duration, micros: value });
      continue;
    }
    const here = Math.floor(time / minuteMs);
    if (here !== minute) endMinute();
    minute = here;
    sum += value;
    count += 1;
  }
  endMinute();
  return spans;
}
