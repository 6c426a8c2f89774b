import type { Chunk } from './chunk.ts';

/** A stretch of time for which a value speaks, in millionths of the unit. */
export interface Spoken {
  startMs: number;
  endMs: number;
  micros: number;
}

const minuteMs = 60_000;

/**
 * What the readings of a chunk that start from `fromMs` up to `toMs` speak for: a reading longer than a minute for as long as it lasts,
 * all others together for the minute they lie in, with their mean. Daily means and peaks count in the same way.
 */
export function spokenBy(chunk: Chunk, startMs: number, fromMs: number, toMs: number): Spoken[] {
  const { times, values, durations } = chunk;
  const spoken: Spoken[] = [];
  let minute = -1;
  let sum = 0;
  let count = 0;
  const endMinute = () => {
    if (count > 0) {
      const from = startMs + minute * minuteMs;
      spoken.push({ startMs: from, endMs: from + minuteMs, micros: sum / count });
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
      spoken.push({ startMs: startMs + time, endMs: startMs + time + duration, micros: value });
      continue;
    }
    const here = Math.floor(time / minuteMs);
    if (here !== minute) endMinute();
    minute = here;
    sum += value;
    count += 1;
  }
  endMinute();
  return spoken;
}
