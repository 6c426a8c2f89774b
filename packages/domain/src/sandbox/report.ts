import type { BatchWire } from '@tributary/contract';
import type { DayTruth } from './truth.ts';

type Item<List extends 'series' | 'records' | 'sleep' | 'workouts'> = NonNullable<BatchWire[List]>[number];

/** What one device has to say of a day, or of several. */
export interface Report {
  readonly series: Item<'series'>[];
  readonly records: Item<'records'>[];
  readonly sleep: Item<'sleep'>[];
  readonly workouts: Item<'workouts'>[];
}

/** The part of a day that is reported: what ended after `fromMs`, and not later than `toMs`. */
export interface DayWindow {
  readonly startMs: number;
  readonly fromMs: number;
  /** Never later than the end of the day, which a change of the clocks may bring forward. */
  readonly toMs: number;
}

/** A day and the part of it that is reported. */
export interface ReportedDay {
  readonly truth: DayTruth;
  readonly window: DayWindow;
}

const minuteMs = 60_000;

/** Whether something that ends at this minute of the day is reported. */
export function endsInside({ startMs, fromMs, toMs }: DayWindow, endMinute: number): boolean {
  const endMs = startMs + endMinute * minuteMs;
  return endMs > fromMs && endMs <= toMs;
}

/** A minute of the day as a timestamp; minutes before midnight are negative. */
export function timeAt({ startMs }: DayWindow, minute: number): string {
  return new Date(startMs + minute * minuteMs).toISOString();
}

/** The reported part of a value for every step of the day, as series without the gaps in which there is none. */
export function seriesOf(
  window: DayWindow,
  metric: string,
  stepMinutes: number,
  values: readonly (number | null)[],
): Item<'series'>[] {
  const stepMs = stepMinutes * minuteMs;
  const first = Math.max(0, Math.floor((window.fromMs - window.startMs) / stepMs));
  const end = Math.min(values.length, Math.floor((window.toMs - window.startMs) / stepMs));
  const series: Item<'series'>[] = [];
  let run: number[] | null = null;
  for (let step = first; step < end; step += 1) {
    const value = values[step]!;
    if (value === null) {
      run = null;
    } else if (run) {
      run.push(value);
    } else {
      run = [value];
      series.push({
        metric,
        start: timeAt(window, step * stepMinutes),
        interval_seconds: stepMinutes * 60,
        values: run,
      });
    }
  }
  return series;
}

/** A reading of one moment, if that moment is reported. */
export function recordOf(
  window: DayWindow,
  metric: string,
  minute: number,
  value: number,
): Item<'records'>[] {
  return endsInside(window, minute) ? [{ metric, start: timeAt(window, minute), value }] : [];
}
