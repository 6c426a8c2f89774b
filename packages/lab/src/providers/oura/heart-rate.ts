import type { Day } from '../../people/day.ts';

/** A row of the heart rate of all day; it has no id and is never pushed. */
export interface HeartRateRow {
  timestamp: string;
  timestamp_unix: number;
  bpm: number;
  source: 'awake' | 'workout' | 'sleep';
}

/** The heart rate of a day in the order of time. */
export function heartRateRows(truth: Day, next: Day): HeartRateRow[] {
  // A sleep counts to the date on which it ends, so the one that begins in the evening is found on the next.
  const sleeps = [...truth.sleeps, ...next.sleeps];
  return truth.heartRate.map(({ at, value }) => {
    const within = (span: { start: number; end: number }): boolean => span.start <= at && at < span.end;
    const source = sleeps.some(within) ? 'sleep' : truth.workouts.some(within) ? 'workout' : 'awake';
    return { timestamp: new Date(at).toISOString(), timestamp_unix: at, bpm: value, source };
  });
}
