import type { DayNumber } from '../days.ts';
import { compareEpochs, type ComparedEpochs } from './inputs/epoch-norms.ts';
import { scoreEnergyReserve } from './recipes/energy-reserve.ts';
import { scoreNutrition } from './recipes/nutrition.ts';
import type { PersonDays } from './inputs/person-days.ts';
import { normDays } from './score-metrics.ts';
import { exponentialMean, scoreRecovery } from './recipes/recovery.ts';
import {
  heartWorkOn,
  prepareEnergyReserve,
  prepareNutrition,
  prepareRecovery,
  prepareSleep,
  prepareStrain,
  prepareStress,
  workoutLoad,
  type Prepared,
} from './inputs/score-inputs.ts';
import { scoreTypes, type Scored, type ScoreType } from './score.ts';
import { scoreSleep } from './recipes/sleep.ts';
import { scoreStrain, strainOfLoad } from './recipes/strain.ts';
import { scoreStress, stressOfEpoch } from './recipes/stress.ts';

/** All results of scoring one day. */
export interface ScoredDay {
  readonly scores: Readonly<Record<ScoreType, Scored | null>>;
  /** The input of each recipe. */
  readonly prepared: Readonly<Record<ScoreType, Prepared<unknown>>>;
  /** Metric ID → daily value that is computed with a score. Null for none. */
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
export const scoreMetrics: readonly string[] = [...scoreTypes, ...Object.keys(dailyOfScores)];

const highAboveTenths = 750;
const restUpToTenths = 250;
const epochMinutes = 5;
const leastLoadDays = 4;
const acuteDays = 7;
const chronicDays = 28;

/** Computes everything for one day, and stores values that later days depend on. Days must be scored in order. */
export function scoreDay(days: PersonDays, day: DayNumber, nowMs: number): ScoredDay {
  const forSleep = prepareSleep(days, day);
  const sleep = scoreSleep(forSleep.input);
  const forStrain = prepareStrain(days, day);
  const strain = scoreStrain(forStrain.input);
  days.set('training_load', day, strain?.figures['training_load'] ?? null);
  const forRecovery = prepareRecovery(days, day, sleep?.value ?? null);
  const recovery = scoreRecovery(forRecovery.input);
  const compared = compareEpochs(days, day);
  const forStress = prepareStress(days, day, compared);
  const stress = scoreStress(forStress.input);
  const forNutrition = prepareNutrition(days, day);
  const forReserve = prepareEnergyReserve(days, day, {
    nowMs,
    recovery: recovery?.value ?? null,
    strain: strain?.value ?? null,
    stress: stress?.value ?? null,
  });
  const reserve = scoreEnergyReserve(forReserve.input);
  days.set('energy_reserve_score', day, reserve?.value ?? null);
  const epochs = epochStress(compared);
  return {
    scores: {
      recovery_score: recovery,
      strain_score: strain,
      sleep_score: sleep,
      stress_score: stress,
      nutrition_score: scoreNutrition(forNutrition.input),
      energy_reserve_score: reserve,
    },
    prepared: {
      recovery_score: forRecovery,
      strain_score: forStrain,
      sleep_score: forSleep,
      stress_score: forStress,
      nutrition_score: forNutrition,
      energy_reserve_score: forReserve,
    },
    daily: {
      sleep_regularity_index: sleep && forSleep.input.regularityIndex,
      training_load: strain?.figures['training_load'] ?? null,
      ...loadTrends(days, day),
      stress_high_time: minutesOf(epochs, (tenths) => tenths > highAboveTenths),
      stress_rest_time: minutesOf(epochs, (tenths) => tenths <= restUpToTenths),
      energy_reserve_high: reserve?.figures['energy_reserve_high'] ?? null,
      energy_reserve_low: reserve?.value ?? null,
    },
    stress: epochs,
    strains: strainsOf(days, day),
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

function strainsOf(days: PersonDays, day: DayNumber): Record<string, number> {
  const workouts = days.facts.get(day)?.workouts ?? [];
  if (workouts.length === 0) return {};
  const work = heartWorkOn(days, day);
  return Object.fromEntries(
    workouts.flatMap((workout) => {
      const loadResult = workoutLoad(workout, work);
      return loadResult ? [[workout.id, Math.round(strainOfLoad(loadResult.load) * 10)]] : [];
    }),
  );
}
