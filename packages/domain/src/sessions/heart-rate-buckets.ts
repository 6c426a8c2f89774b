import type { HeartRateTrace } from './heart-rate-trace.ts';

/** The mean of all readings between one moment of a workout and the next bucket. */
export interface HeartRateBucket {
  /** Milliseconds from the start of the workout. */
  readonly offsetMs: number;
  readonly bpm: number;
}

const hourMs = 3_600_000;

/** Long workouts are shown more coarsely, so that a chart of any has a few hundred points. */
function bucketMsFor(lengthMs: number): number {
  if (lengthMs <= hourMs) return 15_000;
  return lengthMs <= 3 * hourMs ? 30_000 : 60_000;
}

/** The trace in equal steps from the start of the workout; steps without a reading are left out. */
export function bucketsOf({ offsetsMs, bpm }: HeartRateTrace, lengthMs: number): HeartRateBucket[] {
  const bucketMs = bucketMsFor(lengthMs);
  const found = new Map<number, { sum: number; count: number }>();
  bpm.forEach((value, at) => {
    const offsetMs = Math.floor(offsetsMs[at]! / bucketMs) * bucketMs;
    const { sum, count } = found.get(offsetMs) ?? { sum: 0, count: 0 };
    found.set(offsetMs, { sum: sum + value, count: count + 1 });
  });
  return [...found].map(([offsetMs, { sum, count }]) => ({ offsetMs, bpm: sum / count }));
}
