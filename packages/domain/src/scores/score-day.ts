import type { DayNumber } from '../days.ts';
import { valuesWithScores, valuesWithScoresOn } from './daily/daily-values.ts';
import { compareEpochs, type ComparedEpochs } from './inputs/epoch-norms.ts';
import type { PersonDays } from './inputs/person-days.ts';
import type { Prepared } from './inputs/score-inputs.ts';
import { heartWorkOn, workoutLoad, type EffortRules } from './inputs/strain-inputs.ts';
import { exponentialMean } from './recipes/one/recovery.ts';
import { strainOfLoad } from './recipes/one/strain.ts';
import { recipes } from './recipes/recipes.ts';
import { stressOfEpoch } from './recipes/stress.ts';
import { normDays } from './score-metrics.ts';
import { currentRecipe, scoreTypes, type RecipeVersion, type Scored, type ScoreType } from './score.ts';

/** All results of scoring one day. */
export interface ScoredDay {
  readonly scores: Readonly<Record<ScoreType, Scored | null>>;
  /** The input of each recipe. */
  readonly prepared: Readonly<Record<ScoreType, Prepared<unknown>>>;
  /** Metric ID → daily value that is computed with a score, or with all of them. Null for none. */
  readonly daily: Readonly<Record<string, number | null>>;
  /** The stress of each epoch, in tenths. */
  readonly stress: readonly { slot: number; tenths: number }[];
  /** The strain of each workout with intensity data, in tenths. */
  readonly strains: Readonly<Record<string, number>>;
}

/** Daily values that are computed with a score, and the score. */
export const dailyOfScores: Readonly<Record<string, ScoreType>> = {
  sleep_regularity_index: 'sleep_score',
  training_load: 'strain_score',
  acute_training_load: 'strain_score',
  chronic_training_load: 'strain_score',
  stress_high_time: 'stress_score',
  stress_rest_time: 'stress_score',
  energy_reserve_high: 'energy_reserve_score',
  energy_reserve_low: 'energy_reserve_score',
};

/** All daily metrics that scoring produces. */
export const scoreMetrics: readonly string[] = [
  ...scoreTypes,
  ...Object.keys(dailyOfScores),
  ...valuesWithScores,
];

const highAboveTenths = 750;
const restUpToTenths = 250;
const epochMinutes = 5;
const leastLoadDays = 4;
const acuteDays = 7;
const chronicDays = 28;

/**
 * Computes everything for one day with a recipe, and stores values that later days depend on. Days must be scored in order.
 */
export function scoreDay(
  days: PersonDays,
  day: DayNumber,
  nowMs: number,
  version: RecipeVersion = currentRecipe,
): ScoredDay {
  const recipe = recipes[version];
  const sleep = recipe.sleep(days, day);
  const regularity = sleep.scored && sleep.prepared.input.regularityIndex;
  days.set('sleep_regularity_index', day, regularity);
  const strain = recipe.strain(days, day);
  const load = strain.scored?.figures['training_load'] ?? null;
  days.set('training_load', day, load);
  const recovery = recipe.recovery(days, day, sleep.scored?.value ?? null);
  const compared = compareEpochs(days, day);
  const stress = recipe.stress(days, day, compared);
  const nutrition = recipe.nutrition(days, day);
  const reserve = recipe.reserve(days, day, {
    nowMs,
    recovery: recovery.scored?.value ?? null,
    strain: strain.scored?.value ?? null,
    stress: stress.scored?.value ?? null,
  });
  days.set('energy_reserve_score', day, reserve.scored?.value ?? null);
  const epochs = epochStress(compared);
  return {
    scores: {
      recovery_score: recovery.scored,
      strain_score: strain.scored,
      sleep_score: sleep.scored,
      stress_score: stress.scored,
      nutrition_score: nutrition.scored,
      energy_reserve_score: reserve.scored,
    },
    prepared: {
      recovery_score: recovery.prepared,
      strain_score: strain.prepared,
      sleep_score: sleep.prepared,
      stress_score: stress.prepared,
      nutrition_score: nutrition.prepared,
      energy_reserve_score: reserve.prepared,
    },
    daily: {
      sleep_regularity_index: regularity,
      training_load: load,
      ...loadTrends(days, day),
      stress_high_time: minutesOf(epochs, (tenths) => tenths > highAboveTenths),
      stress_rest_time: minutesOf(epochs, (tenths) => tenths <= restUpToTenths),
      energy_reserve_high: reserve.scored?.figures['energy_reserve_high'] ?? null,
      energy_reserve_low: reserve.scored?.value ?? null,
      ...valuesWithScoresOn(days, day),
    },
    stress: epochs,
    strains: strainsOf(days, day, recipe.effort),
  };
}

/** Epochs have stress as soon as there is a baseline, however few they are. */
function epochStress({ epochs, baseline }: ComparedEpochs): { slot: number; tenths: number }[] {
  if (!baseline) return [];
  return epochs.map((epoch) => ({
    slot: epoch.slot,
    tenths: Math.round(stressOfEpoch(epoch, baseline) * 10),
  }));
}

function minutesOf(
  epochs: readonly { tenths: number }[],
  counts: (tenths: number) => boolean,
): number | null {
  return epochs.length === 0 ? null : epochMinutes * epochs.filter(({ tenths }) => counts(tenths)).length;
}

/** The load trends up to and including the day. Recovery uses those up to the previous day. */
function loadTrends(days: PersonDays, day: DayNumber): Record<string, number | null> {
  const loads = days.before('training_load', day + 1, normDays);
  const isScored =
    days.valueOf('training_load', day) !== null &&
    days.countBefore('training_load', day + 1, normDays) >= leastLoadDays;
  return {
    acute_training_load: isScored ? exponentialMean(loads, acuteDays) : null,
    chronic_training_load: isScored ? exponentialMean(loads, chronicDays) : null,
  };
}

function strainsOf(days: PersonDays, day: DayNumber, effort: EffortRules): Record<string, number> {
  const workouts = days.facts.get(day)?.workouts ?? [];
  if (workouts.length === 0) return {};
  const work = heartWorkOn(days, day, effort);
  return Object.fromEntries(
    workouts.flatMap((workout) => {
      const loadResult = workoutLoad(workout, work, effort);
      return loadResult ? [[workout.id, Math.round(strainOfLoad(loadResult.load) * 10)]] : [];
    }),
  );
}
