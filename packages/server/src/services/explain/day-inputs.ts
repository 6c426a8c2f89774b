import {
  canonicalSleepMetrics,
  canonicalWorkoutMetrics,
  chunkMs,
  dayMs,
  hourMs,
  inputsOf,
  placeInMonth,
  sampledMetricsOf,
  sleepDayMetrics,
  workoutDayMetrics,
  type DayNumber,
} from '@tributary/domain';
import type { SessionKind } from '../../store/layers/device-sessions.ts';
import type { DayWanted } from '../../store/reads/explanations.ts';

/** Larger than the UTC offset of any time zone. */
const furthestMs = 16 * hourMs;
/** The maximum length of a session, and of a reading. */
const longestSessionMs = 2 * dayMs;
const longestReadingMs = 2 * dayMs;

/** A metric and all its inputs, recursively. */
export function withInputs(metricNo: number): number[] {
  const inputs = inputsOf(metricNo).flatMap(withInputs);
  return [...new Set([metricNo, ...inputs])];
}

/** The data to read to explain a metric and day in any time zone. The user's time zone is read by the same statement. */
export function wantedFor(metricNo: number, day: DayNumber): DayWanted {
  const [fromMs, toMs] = [day * dayMs - furthestMs, (day + 1) * dayMs + furthestMs];
  return {
    day,
    month: placeInMonth(day).month,
    metrics: [...new Set([...withInputs(metricNo), ...sampledMetricsOf(metricNo)])],
    firstChunk: Math.floor((fromMs - longestReadingMs) / chunkMs),
    lastChunk: Math.floor((toMs - 1) / chunkMs),
    sessions: { kind: sessionKindOf(withInputs(metricNo)), fromMs: fromMs - longestSessionMs, toMs },
  };
}

/** The kind of sessions that any of these metrics can be computed from, or null. No metric has inputs of both kinds. */
export function sessionKindOf(metrics: readonly number[]): SessionKind | null {
  const areAny = (known: readonly number[]) => metrics.some((no) => known.includes(no));
  if (areAny(sleepDayMetrics) || areAny(canonicalSleepMetrics)) return 'sleep';
  return areAny(workoutDayMetrics) || areAny(canonicalWorkoutMetrics) ? 'workout' : null;
}
