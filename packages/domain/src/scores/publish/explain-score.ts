import type { DayNumber } from '../../days.ts';
import type { PersonDays } from '../inputs/person-days.ts';
import { normDays } from '../score-metrics.ts';
import { partsOf, type RecipeInputs } from '../recipes/recipe-parts.ts';
import { scoreDay } from '../score-day.ts';
import type { Prepared } from '../inputs/score-inputs.ts';
import { currentRecipe, type RecipeVersion, type Scored, type ScoreType } from '../score.ts';
import { whyNone } from './why-none.ts';

/** A score with all inputs that are needed to recompute it. */
export interface ScoreAccount {
  /** Null if there is not enough data. */
  readonly scored: Scored | null;
  /** Daily values of the date that were read. */
  readonly inputs: readonly { metricId: string; value: number | null; deviceNo: number }[];
  /** Daily values of the previous days that count, oldest first. */
  readonly history: readonly { metricId: string; readings: { day: DayNumber; value: number }[] }[];
  readonly other: Readonly<Record<string, unknown>>;
  /** Parts of the recipe without data. */
  readonly missing: readonly string[];
  /** What is missing for a score, as text. Null if there is a score. */
  readonly lacking: string | null;
}

/** Explains a score of a day with the data available now. */
export function explainScore(
  days: PersonDays,
  day: DayNumber,
  type: ScoreType,
  nowMs: number,
  version: RecipeVersion = currentRecipe,
): ScoreAccount {
  const { scores, prepared } = scoreDay(days, day, nowMs, version);
  const scored = scores[type];
  const { input, metrics, histories, other } = prepared[type] as Prepared<RecipeInputs[typeof type]>;
  // If epochs are used, the night was not read.
  const byEpochs = type === 'stress_score' && scored?.figures['epochs'] !== undefined;
  return {
    scored,
    inputs: (byEpochs ? [] : metrics).map((metricId) => ({
      metricId,
      value: days.valueOf(metricId, day),
      deviceNo: days.sourceOf(metricId, day),
    })),
    history: (byEpochs ? [] : histories).map((metricId) => ({
      metricId,
      readings: readingsOf(countedHistory(days, metricId, day, input), day),
    })),
    other: { ...other, ...workOf(input) },
    missing: missingFrom(type, input, scored),
    lacking: scored ? null : whyNone(type, input, other),
  };
}

type AnyInput = RecipeInputs[ScoreType];

/** For heart rate variability, only the readings of one device may count. For all other metrics, all readings do. */
function countedHistory(
  days: PersonDays,
  metricId: string,
  day: DayNumber,
  input: AnyInput,
): readonly (number | null)[] {
  return 'hrvHistory' in input && metricId.includes('heart_rate_variability')
    ? input.hrvHistory
    : days.before(metricId, day, normDays);
}

function readingsOf(history: readonly (number | null)[], day: DayNumber) {
  return history.flatMap((value, at) => (value === null ? [] : [{ day: day - history.length + at, value }]));
}

/** The minutes and sessions that count toward strain. */
function workOf(input: AnyInput): Record<string, unknown> {
  if (!('heartRateMinutes' in input)) return {};
  const { heartRateMinutes, zoneMinutes, ratedSessions } = input;
  return { heart_rate_minutes: heartRateMinutes, zone_minutes: zoneMinutes, rated_sessions: ratedSessions };
}

function missingFrom(type: ScoreType, input: AnyInput, scored: Scored | null): string[] {
  const named = (name: string) => scored?.ingredients.some((ingredient) => ingredient.name === name);
  // One kind of activity data is enough.
  if (type === 'strain_score' && scored) return [];
  if (type === 'stress_score' && named('heart_rate'))
    return named('heart_rate_variability') ? [] : ['heart_rate_variability'];
  return partsOf(type, input)
    .filter(([, isThere]) => !isThere)
    .map(([name]) => name);
}
