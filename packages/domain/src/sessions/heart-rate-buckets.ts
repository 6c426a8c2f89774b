import { hourMs } from '../durations.ts';
import type { HeartRateTrace } from './heart-rate-trace.ts';

/** The mean of all readings from one moment of a workout to the next bucket. */
export interface HeartRateBucket {
  /** Milliseconds from the start of the workout. */
  readonly offsetMs: number;
  readonly bpm: number;
}

/** Longer workouts have longer buckets, so that every chart has at most a few hundred points. */
function bucketMsFor(lengthMs: number): number {
  if (lengthMs <= hourMs) return 15_000;
  return lengthMs <= 3 * hourMs ? 30_000 : 60_000;
}

/** The trace in buckets of equal length from the start of the workout. Buckets without a reading are omitted. */
export function bucketsOf({ offsetsMs, bpm }: HeartRateTrace, lengthMs: number): HeartRateBucket[] {
  const bucketMs = bucketMsFor(lengthMs);
  const buckets = new Map<number, { sum: number; count: number }>();
  bpm.forEach((value, at) => {
    const offsetMs = Math.floor(offsetsMs[at]! / bucketMs) * bucketMs;
    const { sum, count } = buckets.get(offsetMs) ?? { sum: 0, count: 0 };
    buckets.set(offsetMs, { sum: sum + value, count: count + 1 });
  });
  return [...buckets].map(([offsetMs, { sum, count }]) => ({ offsetMs, bpm: sum / count }));
}
