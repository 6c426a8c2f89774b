import type { DayNumber } from '../../days.ts';
import { hourMs } from '../../durations.ts';
import type { Factor, Score } from '../score.ts';

/** A score as it was last published. */
export interface PublishedScore {
  readonly tenths: number;
  /** [name, tenths], in display order. */
  readonly factors: readonly (readonly [string, number])[];
  readonly publishedMs: number;
  /** The local day of publication, and the number of publications on it. */
  readonly publishedDay: DayNumber;
  readonly times: number;
}

/** The outcome for a recomputed score. */
export type Publication =
  | { outcome: 'unchanged' }
  | { outcome: 'held'; untilMs: number }
  | { outcome: 'published'; score: PublishedScore | null };

export interface Publishing {
  readonly nowMs: number;
  /** The current local day, and when it ends. */
  readonly today: DayNumber;
  readonly todayEndsMs: number;
  /** True for a new main sleep or recomputed history, which are published without delay. */
  readonly urgent: boolean;
}

const pauseMs = 2 * hourMs;
const mostTimesADay = 8;

/**
 * Whether to publish a score now. A score changes at most every two hours and eight times per local day, so that "a few times a day" stays
 * true. The first value of a date, a removed value and urgent ones are not held.
 */
export function publish(
  before: PublishedScore | null,
  score: Score | null,
  { nowMs, today, todayEndsMs, urgent }: Publishing,
): Publication {
  if (!score) return before ? { outcome: 'published', score: null } : { outcome: 'unchanged' };
  const tenths = Math.round(score.value * 10);
  const factors = score.factors.map(
    ({ name, contribution }) => [name, Math.round(contribution * 10)] as const,
  );
  const times = before?.publishedDay === today ? before.times + 1 : 1;
  const next = { tenths, factors, publishedMs: nowMs, publishedDay: today, times };
  if (before && before.tenths === tenths && sameFactors(before.factors, factors))
    return { outcome: 'unchanged' };
  if (before && !urgent) {
    const pauseEndsMs = before.publishedMs + pauseMs;
    if (nowMs < pauseEndsMs) return { outcome: 'held', untilMs: pauseEndsMs };
    if (times > mostTimesADay) return { outcome: 'held', untilMs: todayEndsMs };
  }
  return { outcome: 'published', score: next };
}

/** A published score in the form that reads return. */
export function shownScore({ tenths, factors }: PublishedScore): Score {
  return { value: tenths / 10, factors: factors.map(([name, each]) => toFactor(name, each)) };
}

function toFactor(name: string, tenths: number): Factor {
  const moves = name !== 'baseline' && Math.abs(tenths) >= 5;
  const direction = !moves ? 'neutral' : tenths > 0 ? 'positive' : 'negative';
  return { name, contribution: tenths / 10, direction };
}

function sameFactors(a: PublishedScore['factors'], b: PublishedScore['factors']): boolean {
  return a.length === b.length && a.every(([name, tenths], at) => name === b[at]![0] && tenths === b[at]![1]);
}
