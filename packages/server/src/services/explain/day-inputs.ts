import {
  chunkMs,
  derivedMetrics,
  placeInMonth,
  sampledMetricsOf,
  sleepAnswers,
  sleepDayMetrics,
  workoutAnswers,
  workoutDayMetrics,
  type DayNumber,
} from '@tributary/domain';
import type { SessionKind } from '../../store/device-sessions.ts';
import type { DayWanted } from '../../store/explain-reads.ts';

const dayMs = 86_400_000;
/** No timezone is further from UTC than that. */
const furthestMs = 16 * 3_600_000;
/** No session is longer than that. */
const longestSessionMs = 2 * dayMs;

/** A metric and all that it is derived from. */
export function withInputs(metricNo: number): number[] {
  const rule = derivedMetrics.find(({ no }) => no === metricNo);
  const inputs = (rule?.from ?? []).filter((input) => input !== metricNo).flatMap(withInputs);
  return [...new Set([metricNo, ...inputs])];
}

/** What has to be read to explain a metric and day, wherever the user is: the timezone is read with it. */
export function wantedFor(metricNo: number, day: DayNumber): DayWanted {
  const [fromMs, toMs] = [day * dayMs - furthestMs, (day + 1) * dayMs + furthestMs];
  return {
    day,
    month: placeInMonth(day).month,
    metrics: [...new Set([...withInputs(metricNo), ...sampledMetricsOf(metricNo)])],
    firstChunk: Math.floor(fromMs / chunkMs),
    lastChunk: Math.floor((toMs - 1) / chunkMs),
    sessions: { kind: sessionKindOf(metricNo), fromMs: fromMs - longestSessionMs, toMs },
  };
}

/** Of which sessions a metric can be made; null for none. */
function sessionKindOf(metricNo: number): SessionKind | null {
  if (sleepDayMetrics.includes(metricNo) || sleepAnswers.includes(metricNo)) return 'sleep';
  if (workoutDayMetrics.includes(metricNo) || workoutAnswers.includes(metricNo)) return 'workout';
  return null;
}
