import { hourMs } from '../../durations.ts';
import { fromMicros } from '../../samples/micros.ts';
import type { ValueSpan } from '../../samples/value-spans.ts';
import type { Span } from '../../spans.ts';

/** The hourly goal of activity trackers. */
const stepsPerActiveHour = 250;
/** The share of the day's steps whose hour must be known. */
const leastLocatedShare = 0.9;

/** The steps of a day whose hour is known, and the hours in which they reach the goal. */
export interface StepHours {
  readonly located: number;
  readonly activeHours: number;
}

/** Counts hours from local midnight. Intervals of more than an hour do not show when the steps were taken. */
export function stepHoursOf(steps: readonly ValueSpan[], { startMs }: Span): StepHours | null {
  const short = steps.filter((piece) => piece.endMs - piece.startMs <= hourMs);
  if (short.length === 0) return null;
  const byHour = new Map<number, number>();
  for (const piece of short) {
    const first = Math.floor((piece.startMs - startMs) / hourMs);
    const last = Math.floor((piece.endMs - 1 - startMs) / hourMs);
    for (let hour = first; hour <= last; hour += 1) {
      const fromMs = startMs + hour * hourMs;
      const partMs = Math.min(piece.endMs, fromMs + hourMs) - Math.max(piece.startMs, fromMs);
      const part = (piece.micros * partMs) / (piece.endMs - piece.startMs);
      byHour.set(hour, (byHour.get(hour) ?? 0) + part);
    }
  }
  const hours = [...byHour.values()];
  return {
    located: Math.round(fromMicros(hours.reduce((sum, part) => sum + part, 0))),
    activeHours: hours.filter((part) => fromMicros(part) >= stepsPerActiveHour).length,
  };
}

/** Null if the day's steps are known only as a total, or if the intervals show less than most of them. */
export function activeHoursOf(hours: StepHours | null, steps: number | null): number | null {
  if (!hours || steps === null || hours.located < leastLocatedShare * steps) return null;
  return hours.activeHours;
}
