import type { BatchWire } from '@tributary/contract';
import { formatDay } from '../../days.ts';
import { minuteMs } from '../../durations.ts';
import type { DayTruth } from '../day/truth.ts';
import type { Habits } from './habits.ts';

type Item<List extends 'series' | 'records' | 'daily' | 'sleep' | 'workouts'> = NonNullable<
  BatchWire[List]
>[number];

/** Data of one device for one or several days. */
export interface Report {
  readonly series: Item<'series'>[];
  readonly records: Item<'records'>[];
  /** Totals of days, reported when the day is over. */
  readonly daily: Item<'daily'>[];
  readonly sleep: Item<'sleep'>[];
  readonly workouts: Item<'workouts'>[];
}

/** The reported part of a day: everything that ended after `fromMs` and no later than `toMs`. */
export interface DayWindow {
  readonly startMs: number;
  readonly fromMs: number;
  /** At most the end of the day. */
  readonly toMs: number;
  /** A clock change may move the end of the day. */
  readonly endMs: number;
}

/** A day with the devices that the person had along, and its reported part. */
export interface ReportedDay {
  readonly truth: DayTruth;
  readonly habits: Habits;
  readonly window: DayWindow;
}

/** Whether something that ends at this minute of the day is reported. */
export function endsInside({ startMs, fromMs, toMs }: DayWindow, endMinute: number): boolean {
  const endMs = startMs + endMinute * minuteMs;
  return endMs > fromMs && endMs <= toMs;
}

/** A minute of the day as a timestamp. Minutes before midnight are negative. */
export function timeAt({ startMs }: DayWindow, minute: number): string {
  return new Date(startMs + minute * minuteMs).toISOString();
}

/** The reported part of the values of a day, split into series wherever a value is missing. */
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

/** The total of a day, if the day ends in the reported window. */
export function totalOf({ truth, window }: ReportedDay, metric: string, value: number): Item<'daily'>[] {
  const { startMs, fromMs, toMs, endMs } = window;
  if (endMs === startMs || endMs <= fromMs || endMs > toMs) return [];
  return [{ metric, date: formatDay(truth.plan.day), value }];
}

/** A reading at one instant, if it is in the reported window. */
export function recordOf(
  window: DayWindow,
  metric: string,
  minute: number,
  value: number,
): Item<'records'>[] {
  return endsInside(window, minute) ? [{ metric, start: timeAt(window, minute), value }] : [];
}
