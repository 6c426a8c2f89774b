import { lnOf, recentReadings } from '../inputs/baseline.ts';
import type { EnergyReserveInput } from './one/energy-reserve.ts';
import type { NutritionInput } from './one/nutrition.ts';
import type { RecoveryInput } from './one/recovery.ts';
import type { RecoveryInputTwo } from './two/recovery.ts';
import type { ScoreType } from '../score.ts';
import type { SleepInput } from './one/sleep.ts';
import type { StrainInput } from './one/strain.ts';
import type { StressInput } from './stress.ts';

/** The inputs of each recipe. */
export interface RecipeInputs {
  recovery_score: RecoveryInput | RecoveryInputTwo;
  strain_score: StrainInput;
  sleep_score: SleepInput;
  stress_score: StressInput;
  nutrition_score: NutritionInput;
  energy_reserve_score: EnergyReserveInput;
}

/** Parts of a recipe by name, and whether each has data. */
export type Parts = readonly (readonly [name: string, isThere: boolean])[];

type History = readonly (number | null)[];

const fewestReadings = 3;
const fewestLoads = 4;
const fewestEpochs = 36;
const trendDaysBefore = 6;
const fewestTrendReadings = 2;

/** Number of previous days with a reading. */
export function countReadings(history: History): number {
  return recentReadings(history).length;
}

function hasNorm(reading: number | null, history: History): boolean {
  return reading !== null && countReadings(history) >= fewestReadings;
}

/** Whether a variability reading can be compared with earlier ones. */
export function hasHrvNorm({ hrv, hrvHistory }: Pick<RecoveryInput, 'hrv' | 'hrvHistory'>): boolean {
  return hasNorm(lnOf(hrv), hrvHistory.map(lnOf));
}

/** Whether a resting heart rate can be compared with earlier ones. */
export function hasRestingNorm(
  input: Pick<RecoveryInput, 'restingHeartRate' | 'restingHeartRateHistory'>,
): boolean {
  return hasNorm(input.restingHeartRate, input.restingHeartRateHistory);
}

const partsBy: { readonly [Type in ScoreType]: (input: RecipeInputs[Type]) => Parts } = {
  recovery_score: (input) => {
    const hasHrv = hasHrvNorm(input);
    const lately = recentReadings(input.hrvHistory.map(lnOf), trendDaysBefore).length;
    return [
      ['hrv_today', hasHrv],
      ['hrv_trend', hasHrv && lately >= fewestTrendReadings],
      ['resting_heart_rate', hasRestingNorm(input)],
      [
        'sleep',
        'asleepHistory' in input
          ? hasNorm(input.asleepMinutes, input.asleepHistory)
          : input.sleepScore !== null,
      ],
      ['load_balance', countReadings(input.loadHistory) >= fewestLoads],
      ['respiratory_rate', hasNorm(input.respiratoryRate, input.respiratoryRateHistory)],
      ['body_temperature', hasNorm(input.bodyTemperature, input.bodyTemperatureHistory)],
    ];
  },
  // Any one of them is enough, so none is missing if another has data.
  strain_score: (input) => [
    ['heart_rate', input.heartRateMinutes.length + input.zoneMinutes.length > 0],
    ['perceived_exertion', input.ratedSessions.length > 0],
    ['active_energy', input.activeCalories !== null && input.weightKg !== null],
  ],
  sleep_score: (input) => [
    ['duration', input.asleepMinutes !== null],
    ['regularity', input.regularityIndex !== null],
    ['efficiency', input.efficiencyPercent !== null],
    ['continuity', input.awakeAfterOnsetMinutes !== null],
    [
      'restorative_sleep',
      input.deepMinutes !== null && input.remMinutes !== null && (input.asleepMinutes ?? 0) > 0,
    ],
    ['latency', input.latencyMinutes !== null],
  ],
  stress_score: (input) => [
    ['epochs', input.epochs.length >= fewestEpochs && input.epochBaseline !== null],
    ['heart_rate_variability', hasHrvNorm(input)],
    ['resting_heart_rate', hasRestingNorm(input)],
  ],
  nutrition_score: (input) => [
    ['dietary_energy', input.dietaryEnergyKcal !== null],
    ['fiber', input.fiberGrams !== null],
    ['protein', input.proteinGrams !== null],
    ['added_sugar', input.addedSugarGrams !== null || input.sugarGrams !== null],
    ['saturated_fat', input.saturatedFatGrams !== null],
    ['sodium', input.sodiumMg !== null],
    [
      'fat_quality',
      input.monounsaturatedFatGrams !== null &&
        input.polyunsaturatedFatGrams !== null &&
        Boolean(input.saturatedFatGrams),
    ],
    ['potassium', input.potassiumMg !== null],
    ['hydration', input.waterMl !== null],
    ['energy_balance', Boolean(input.totalEnergyKcal)],
  ],
  energy_reserve_score: (input) => [
    ['carried_over', input.previousClose !== null],
    ['sleep_charge', input.asleepMinutes !== null],
    ['recovery', input.recoveryScore !== null],
    ['time_awake', input.hoursAwake !== null],
    ['strain', input.strainScore !== null],
    ['stress', input.stressScore !== null],
  ],
};

/** The parts of a recipe, and whether each has data. */
export function partsOf<Type extends ScoreType>(type: Type, input: RecipeInputs[Type]): Parts {
  return partsBy[type](input);
}
