import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scoreNutrition, type NutritionInput } from './one/nutrition.ts';
import { partsOf, type Parts } from './recipe-parts.ts';
import { scoreRecovery, type RecoveryInput } from './one/recovery.ts';
import type { Scored } from '../score.ts';
import { scoreSleep, type SleepInput } from './one/sleep.ts';

const settings = { numRuns: 3000, seed: 20_260_301 };
const reading = (min: number, max: number) => fc.option(fc.integer({ min, max }), { freq: 2 });
const history = (min: number, max: number) => fc.array(reading(min, max), { maxLength: 12 });

const recoveries: fc.Arbitrary<RecoveryInput> = fc.record({
  hrv: reading(25, 120),
  hrvHistory: history(40, 80),
  restingHeartRate: reading(40, 75),
  restingHeartRateHistory: history(48, 60),
  sleepScore: reading(0, 100),
  loadHistory: history(0, 250),
  respiratoryRate: reading(12, 20),
  respiratoryRateHistory: history(13, 16),
  bodyTemperature: reading(33, 38),
  bodyTemperatureHistory: history(34, 35),
});
const sleeps: fc.Arbitrary<SleepInput> = fc.record({
  age: fc.constant(40),
  asleepMinutes: reading(0, 800),
  deepMinutes: reading(0, 200),
  remMinutes: reading(0, 200),
  efficiencyPercent: reading(50, 100),
  awakeAfterOnsetMinutes: reading(0, 150),
  latencyMinutes: reading(0, 120),
  regularityIndex: reading(-100, 100),
});
const diets: fc.Arbitrary<NutritionInput> = fc.record({
  dietaryEnergyKcal: reading(400, 3500),
  fiberGrams: reading(0, 60),
  proteinGrams: reading(0, 200),
  addedSugarGrams: reading(0, 100),
  sugarGrams: reading(0, 150),
  saturatedFatGrams: reading(0, 60),
  monounsaturatedFatGrams: reading(0, 60),
  polyunsaturatedFatGrams: reading(0, 60),
  sodiumMg: reading(0, 6000),
  potassiumMg: reading(0, 6000),
  waterMl: reading(0, 4000),
  weightKg: reading(50, 100),
  sex: fc.constant(null),
  restingEnergyKcal: reading(1000, 2000),
  totalEnergyKcal: reading(1500, 4000),
});

const there = (parts: Parts) => parts.filter(([, isThere]) => isThere).map(([name]) => name);
const named = (scored: Scored) => scored.ingredients.map(({ name }) => name);

test('lists the ingredients of a score as the parts with data', () => {
  let [recovered, slept, eaten] = [0, 0, 0];
  fc.assert(
    fc.property(recoveries, sleeps, diets, (recovery, sleep, diet) => {
      const [ofRecovery, ofSleep, ofDiet] = [
        scoreRecovery(recovery),
        scoreSleep(sleep),
        scoreNutrition(diet),
      ];
      if (ofRecovery) expect(there(partsOf('recovery_score', recovery))).toEqual(named(ofRecovery));
      if (ofSleep) expect(there(partsOf('sleep_score', sleep))).toEqual(named(ofSleep));
      if (ofDiet)
        expect(there(partsOf('nutrition_score', diet))).toEqual(['dietary_energy', ...named(ofDiet)]);
      recovered += ofRecovery ? 1 : 0;
      slept += ofSleep ? 1 : 0;
      eaten += ofDiet ? 1 : 0;
    }),
    settings,
  );
  expect(Math.min(recovered, slept, eaten)).toBeGreaterThan(500);
});

test('lists the alternative inputs of reserve and strain', () => {
  const reserve = { previousClose: null, asleepMinutes: 450, recoveryScore: null, hoursAwake: 3 };
  expect(partsOf('energy_reserve_score', { ...reserve, strainScore: 20, stressScore: null })).toEqual([
    ['carried_over', false],
    ['sleep_charge', true],
    ['recovery', false],
    ['time_awake', true],
    ['strain', true],
    ['stress', false],
  ]);
  const work = { restingHeartRate: 60, maxHeartRate: 185, sex: null, heartRateMinutes: [], zoneMinutes: [] };
  expect(
    partsOf('strain_score', { ...work, ratedSessions: [[7, 50]], activeCalories: 500, weightKg: null }),
  ).toEqual([
    ['heart_rate', false],
    ['perceived_exertion', true],
    ['active_energy', false],
  ]);
});
