import { minuteMs } from '../durations.ts';
import type { TraceSummary } from './heart-rate-trace.ts';

/** One of the five heart rate zones. */
export interface HeartRateZone {
  readonly zone: number;
  readonly minutes: number;
  /** The lowest heart rate of the zone. */
  readonly minBpm: number;
  /** Where the next zone begins. Null for the last one, which has no upper limit. */
  readonly maxBpm: number | null;
}

/** The lower limit of each zone, in tenths of the maximum heart rate. */
const beginnings = [5, 6, 7, 8, 9] as const;

/** The minutes of a workout in each zone: from 50 to 60% of the maximum heart rate in zone 1, up to 90% and above in zone 5. */
export function zonesOf({ histogram }: TraceSummary, maxHeartRate: number): HeartRateZone[] {
  return beginnings.map((tenths, at) => {
    const next = beginnings[at + 1];
    // Compares multiples of ten, because a product with 0.7 would miss some boundaries by a rounding error.
    const isInside = (bpm: number): boolean =>
      bpm * 10 >= maxHeartRate * tenths && (next === undefined || bpm * 10 < maxHeartRate * next);
    const ms = histogram.reduce((sum, [bpm, length]) => sum + (isInside(bpm) ? length : 0), 0);
    return {
      zone: at + 1,
      minutes: ms / minuteMs,
      minBpm: (maxHeartRate * tenths) / 10,
      maxBpm: next === undefined ? null : (maxHeartRate * next) / 10,
    };
  });
}
