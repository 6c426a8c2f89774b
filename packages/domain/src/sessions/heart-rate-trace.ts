import { roundTo } from '../round.ts';

/** The heart rate during a workout: milliseconds from its start, in order, and beats a minute. */
export interface HeartRateTrace {
  readonly offsetsMs: readonly number[];
  readonly bpm: readonly number[];
}

/** What lists need of a trace, so that they can do without the trace itself. */
export interface TraceSummary {
  /** Weighted by time. */
  readonly meanBpm: number;
  readonly maxBpm: number;
  /** [beats a minute to a tenth, milliseconds], by beats; zones can be told from it whatever the maximum heart rate is. */
  readonly histogram: readonly (readonly [number, number])[];
}

/** A reading says nothing about what comes later than this after it. */
const longestReadingMs = 60_000;

/**
 * Sums up a trace; null when there is none. Each reading speaks until the next one, the last one until the end of the workout, and none
 * for longer than a minute.
 */
export function summarizeTrace(trace: HeartRateTrace, lengthMs: number): TraceSummary | null {
  const { offsetsMs, bpm } = trace;
  if (bpm.length === 0) return null;
  const byBpm = new Map<number, number>();
  let [beats, spokenMs, maxBpm] = [0, 0, 0];
  bpm.forEach((value, at) => {
    const ms = Math.min(longestReadingMs, (offsetsMs[at + 1] ?? lengthMs) - offsetsMs[at]!);
    const tenths = roundTo(value, 1);
    if (ms > 0) byBpm.set(tenths, (byBpm.get(tenths) ?? 0) + ms);
    beats += value * ms;
    spokenMs += ms;
    maxBpm = Math.max(maxBpm, value);
  });
  // A lone reading at the very end has no time to speak for, and is the mean all the same.
  const meanBpm = spokenMs > 0 ? beats / spokenMs : bpm[0]!;
  return { meanBpm, maxBpm, histogram: [...byBpm].sort(([a], [b]) => a - b) };
}
