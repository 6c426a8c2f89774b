import { minuteMs } from '../durations.ts';
import { roundTo } from '../round.ts';

/** The heart rate during a workout: sorted milliseconds from its start, and beats per minute. */
export interface HeartRateTrace {
  readonly offsetsMs: readonly number[];
  readonly bpm: readonly number[];
}

/** The facts about a trace that lists need, so that they do not load the trace itself. */
export interface TraceSummary {
  /** Weighted by time. */
  readonly meanBpm: number;
  readonly maxBpm: number;
  /** [beats per minute to a tenth, milliseconds], sorted by beats. Zones can be computed from it for any maximum heart rate. */
  readonly histogram: readonly (readonly [number, number])[];
}

/** The maximum time that a reading applies to. */
const longestReadingMs = minuteMs;

/**
 * Summarizes a trace. Null if it is empty. Each reading applies until the next one, the last one until the end of the workout, and none for
 * longer than a minute.
 */
export function summarizeTrace(trace: HeartRateTrace, lengthMs: number): TraceSummary | null {
  const { offsetsMs, bpm } = trace;
  if (bpm.length === 0) return null;
  const byBpm = new Map<number, number>();
  let [beats, coveredMs, maxBpm] = [0, 0, 0];
  bpm.forEach((value, at) => {
    const ms = Math.min(longestReadingMs, (offsetsMs[at + 1] ?? lengthMs) - offsetsMs[at]!);
    const tenths = roundTo(value, 1);
    if (ms > 0) byBpm.set(tenths, (byBpm.get(tenths) ?? 0) + ms);
    beats += value * ms;
    coveredMs += ms;
    maxBpm = Math.max(maxBpm, value);
  });
  // A single reading at the very end applies to no time, but is still the mean.
  const meanBpm = coveredMs > 0 ? beats / coveredMs : bpm[0]!;
  return { meanBpm, maxBpm, histogram: [...byBpm].sort(([a], [b]) => a - b) };
}
