import { expect, test } from 'vitest';
import { scoreEnergyReserve, type EnergyReserveInput } from './recipes/one/energy-reserve.ts';
import { scoreNutrition, type NutritionInput } from './recipes/one/nutrition.ts';
import { scoreRecovery, type RecoveryInput } from './recipes/one/recovery.ts';
import { scoreTypes, type Score, type Scored, type ScoreType } from './score.ts';
import { scoreSleep, type SleepInput } from './recipes/one/sleep.ts';
import { scoreStrain, type StrainInput } from './recipes/one/strain.ts';
import { scoreStress, type StressInput } from './recipes/stress.ts';
import vectors from './vectors.json' with { type: 'json' };

const noRecovery: RecoveryInput = {
  hrv: null,
  hrvHistory: [],
  restingHeartRate: null,
  restingHeartRateHistory: [],
  sleepScore: null,
  loadHistory: [],
  respiratoryRate: null,
  respiratoryRateHistory: [],
  bodyTemperature: null,
  bodyTemperatureHistory: [],
};
const noSleep: SleepInput = {
  age: null,
  asleepMinutes: null,
  deepMinutes: null,
  remMinutes: null,
  efficiencyPercent: null,
  awakeAfterOnsetMinutes: null,
  latencyMinutes: null,
  regularityIndex: null,
};
const noStrain: StrainInput = {
  restingHeartRate: 60,
  maxHeartRate: 185,
  sex: null,
  heartRateMinutes: [],
  zoneMinutes: [],
  ratedSessions: [],
  activeCalories: null,
  weightKg: null,
};
const noStress: StressInput = {
  epochs: [],
  epochBaseline: null,
  hrv: null,
  hrvHistory: [],
  restingHeartRate: null,
  restingHeartRateHistory: [],
};
const noNutrition: NutritionInput = {
  dietaryEnergyKcal: null,
  fiberGrams: null,
  proteinGrams: null,
  addedSugarGrams: null,
  sugarGrams: null,
  saturatedFatGrams: null,
  monounsaturatedFatGrams: null,
  polyunsaturatedFatGrams: null,
  sodiumMg: null,
  potassiumMg: null,
  waterMl: null,
  weightKg: null,
  sex: null,
  restingEnergyKcal: null,
  totalEnergyKcal: null,
};
const noEnergyReserve: EnergyReserveInput = {
  previousClose: null,
  asleepMinutes: null,
  recoveryScore: null,
  hoursAwake: null,
  strainScore: null,
  stressScore: null,
};

/** Readings with data. `epochRuns` are epochs as [count, bpm, hrv]. */
interface Vector {
  readonly score: ScoreType;
  readonly case: string;
  readonly input: object & { epochRuns?: readonly [number, number, number | null][] };
  readonly expected: (Score & { readonly figures: Record<string, number> }) | null;
}

const recipes: Record<ScoreType, (readings: Vector['input']) => Scored | null> = {
  recovery_score: (readings) => scoreRecovery({ ...noRecovery, ...readings }),
  sleep_score: (readings) => scoreSleep({ ...noSleep, ...readings }),
  strain_score: (readings) => scoreStrain({ ...noStrain, ...readings }),
  stress_score: ({ epochRuns = [], ...readings }) => {
    const epochs = epochRuns.flatMap(([count, bpm, hrv]) =>
      Array.from({ length: count }, () => ({ bpm, hrv })),
    );
    return scoreStress({ ...noStress, ...readings, epochs });
  },
  nutrition_score: (readings) => scoreNutrition({ ...noNutrition, ...readings }),
  energy_reserve_score: (readings) => scoreEnergyReserve({ ...noEnergyReserve, ...readings }),
};

const cases = vectors as unknown as Vector[];

// @contract scores-1/fields: `factors` may be empty, as for strain on a day of rest
test.each(cases)('gives the expected result: $score, $case', ({ score, input, expected }) => {
  const scored = recipes[score](input);
  if (expected === null) return expect(scored).toBeNull();
  const { value, factors, figures } = scored!;
  expect({ value, factors }).toEqual({ value: expected.value, factors: expected.factors });
  expect(figures).toMatchObject(expected.figures);
});

test('has vectors for every score', () => {
  expect(cases).toHaveLength(30);
  expect(new Set(cases.map(({ score }) => score))).toEqual(new Set(scoreTypes));
});

test.each(scoreTypes)('explains %s with ingredients that add up', (type) => {
  for (const { score, input } of cases) {
    const scored = score === type ? recipes[type](input) : null;
    if (scored === null) continue;
    expect(scored).toMatchObject({ type, version: 1 });
    const moved = scored.ingredients.reduce((sum, { contribution }) => sum + contribution, scored.neutral);
    expect(Math.abs(Math.max(0, Math.min(100, moved)) - scored.value)).toBeLessThan(0.050001);
    expect(
      scored.factors
        .filter(({ name }) => name !== 'baseline')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(scored.ingredients.map(({ name }) => name).sort());
    for (const { share, subScore, contribution } of scored.ingredients)
      if (share !== null) expect(share * (subScore! - scored.neutral)).toBeCloseTo(contribution, 9);
  }
});
