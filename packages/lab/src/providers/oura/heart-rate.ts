import type { Day } from '../../world/people/day.ts';

/** A row of continuous heart rate. It has no id and is never pushed. */
export interface HeartRateRow {
  timestamp: string;
  timestamp_unix: number;
  bpm: number;
  source: 'awake' | 'workout' | 'sleep';
}

/** The heart rate of a day in chronological order. */
export function heartRateRows(truth: Day, next: Day): HeartRateRow[] {
  // A sleep belongs to the date on which it ends, so one that begins in the evening is stored under the next date.
  const sleeps = [...truth.sleeps, ...next.sleeps];
  return truth.heartRate.map(({ at, value }) => {
    const within = (span: { start: number; end: number }): boolean => span.start <= at && at < span.end;
    const source = sleeps.some(within) ? 'sleep' : truth.workouts.some(within) ? 'workout' : 'awake';
    return { timestamp: new Date(at).toISOString(), timestamp_unix: at, bpm: value, source };
  });
}
