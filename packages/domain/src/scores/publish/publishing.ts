import type { DayNumber } from '../../days.ts';
import { hourMs } from '../../durations.ts';
import type { Confidence, Factor, RecipeVersion, VersionedScore } from '../score.ts';

/** A score as it was last published. */
export interface PublishedScore {
  readonly tenths: number;
  /** [name, tenths], in display order. */
  readonly factors: readonly (readonly [string, number])[];
  readonly publishedMs: number;
  /** The local day of publication, and the number of publications on it. */
  readonly publishedDay: DayNumber;
  readonly times: number;
  readonly version: RecipeVersion;
  readonly confidence: Confidence;
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
  score: VersionedScore | null,
  { nowMs, today, todayEndsMs, urgent }: Publishing,
): Publication {
  if (!score) return before ? { outcome: 'published', score: null } : { outcome: 'unchanged' };
  const tenths = Math.round(score.value * 10);
  const factors = score.factors.map(
    ({ name, contribution }) => [name, Math.round(contribution * 10)] as const,
  );
  const times = before?.publishedDay === today ? before.times + 1 : 1;
  const { version, confidence } = score;
  const next = { tenths, factors, publishedMs: nowMs, publishedDay: today, times, version, confidence };
  if (before && isSame(before, next)) return { outcome: 'unchanged' };
  if (before && !urgent) {
    const pauseEndsMs = before.publishedMs + pauseMs;
    if (nowMs < pauseEndsMs) return { outcome: 'held', untilMs: pauseEndsMs };
    if (times > mostTimesADay) return { outcome: 'held', untilMs: todayEndsMs };
  }
  return { outcome: 'published', score: next };
}

/** A published score in the form that reads return. */
export function shownScore({ tenths, factors, version, confidence }: PublishedScore): VersionedScore {
  return {
    value: tenths / 10,
    factors: factors.map(([name, each]) => toFactor(name, each)),
    version,
    confidence,
  };
}

function toFactor(name: string, tenths: number): Factor {
  const moves = name !== 'baseline' && Math.abs(tenths) >= 5;
  const direction = !moves ? 'neutral' : tenths > 0 ? 'positive' : 'negative';
  return { name, contribution: tenths / 10, direction };
}

/** A value of another recipe is published, even if it is the same number. */
function isSame(a: PublishedScore, b: PublishedScore): boolean {
  return (
    a.tenths === b.tenths &&
    a.version === b.version &&
    a.confidence === b.confidence &&
    sameFactors(a.factors, b.factors)
  );
}

function sameFactors(a: PublishedScore['factors'], b: PublishedScore['factors']): boolean {
  return a.length === b.length && a.every(([name, tenths], at) => name === b[at]![0] && tenths === b[at]![1]);
}
