import fc from 'fast-check';
import { expect } from 'vitest';
import type { EnergyReserveInput } from '../recipes/one/energy-reserve.ts';
import type { NutritionInput } from '../recipes/one/nutrition.ts';
import type { RecoveryInput } from '../recipes/one/recovery.ts';
import type { SleepInput } from '../recipes/one/sleep.ts';
import type { StrainInput } from '../recipes/one/strain.ts';
import type { StressInput } from '../recipes/stress.ts';
import type { Scored } from '../score.ts';

/** A number of tenths within a range. */
export const tenths = (min: number, max: number) =>
  fc.integer({ min: min * 10, max: max * 10 }).map((tenth) => tenth / 10);
export const reading = (min: number, max: number) => fc.option(tenths(min, max), { freq: 6 });
export const history = (min: number, max: number) =>
  fc.array(fc.option(fc.integer({ min, max }), { freq: 6 }), { maxLength: 64, size: 'max' });
const sex = fc.constantFrom('female', 'male', 'other', null);
export const rise = fc.double({ min: 0, max: 30, noNaN: true });

export const recoveries: fc.Arbitrary<RecoveryInput> = fc.record({
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
export const sleeps: fc.Arbitrary<SleepInput> = fc.record({
  age: fc.option(fc.integer({ min: 5, max: 95 })),
  asleepMinutes: reading(0, 800),
  deepMinutes: reading(0, 200),
  remMinutes: reading(0, 200),
  efficiencyPercent: reading(50, 100),
  awakeAfterOnsetMinutes: reading(0, 150),
  latencyMinutes: reading(0, 120),
  regularityIndex: reading(-100, 100),
});
const pairs = (first: fc.Arbitrary<number>, second: fc.Arbitrary<number>) =>
  fc.array(fc.tuple(first, second), { maxLength: 12 });
export const strains: fc.Arbitrary<StrainInput> = fc.record({
  restingHeartRate: tenths(38, 80),
  maxHeartRate: tenths(140, 205),
  sex,
  heartRateMinutes: pairs(tenths(0, 60), tenths(40, 210)),
  zoneMinutes: fc.oneof(fc.constant([]), fc.array(tenths(0, 60), { minLength: 5, maxLength: 5 })),
  ratedSessions: pairs(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 180 })),
  activeCalories: reading(0, 1500),
  weightKg: reading(40, 130),
});
const baseline = (centre: fc.Arbitrary<number>, sd: fc.Arbitrary<number>) =>
  fc.record({ centre, sd, readings: fc.integer({ min: 3, max: 14 }) });
export const epochBaselines = fc.record({
  heartRate: baseline(tenths(55, 95), tenths(4, 15)),
  lnHrv: fc.option(baseline(tenths(2.5, 4.5), tenths(0.2, 0.8)), { freq: 6 }),
});
export const epoch = fc.record({ bpm: tenths(40, 130), hrv: reading(5, 150) });
export const stresses: fc.Arbitrary<StressInput> = fc.record({
  epochs: fc.array(epoch, { maxLength: 72, size: 'max' }),
  epochBaseline: fc.option(epochBaselines, { freq: 6 }),
  hrv: reading(25, 120),
  hrvHistory: history(40, 80),
  restingHeartRate: reading(40, 75),
  restingHeartRateHistory: history(48, 60),
});
export const nutritions: fc.Arbitrary<NutritionInput> = fc.record({
  dietaryEnergyKcal: reading(300, 4500),
  fiberGrams: reading(0, 70),
  proteinGrams: reading(0, 300),
  addedSugarGrams: reading(0, 250),
  sugarGrams: reading(0, 350),
  saturatedFatGrams: reading(0, 100),
  monounsaturatedFatGrams: reading(0, 100),
  polyunsaturatedFatGrams: reading(0, 100),
  sodiumMg: reading(0, 8000),
  potassiumMg: reading(0, 6000),
  waterMl: reading(0, 5000),
  weightKg: reading(40, 130),
  sex,
  restingEnergyKcal: reading(900, 2300),
  totalEnergyKcal: reading(1200, 5000),
});
export const reserves: fc.Arbitrary<EnergyReserveInput> = fc.record({
  previousClose: reading(0, 100),
  asleepMinutes: reading(0, 800),
  recoveryScore: reading(0, 100),
  hoursAwake: reading(0, 24),
  strainScore: reading(0, 100),
  stressScore: reading(0, 100),
});

const inTenths = (value: number) => Math.round(value * 10);

/** Checks the invariants of every score. */
export function expectSound(scored: Scored): void {
  const { value, factors, ingredients, neutral } = scored;
  if (value < 0 || value > 100 || inTenths(value) / 10 !== value) expect.fail(`${value} is not a score`);
  if (factors.some(({ contribution }) => inTenths(contribution) / 10 !== contribution))
    expect.fail('a contribution is not a multiple of 0.1');
  const sum = factors.reduce((total, { contribution }) => total + inTenths(contribution), 0);
  if (sum !== inTenths(value)) expect.fail(`factors sum to ${sum} tenths, the value is ${value}`);
  const others = neutral === 0 ? factors : factors.slice(1);
  if (neutral !== 0 && factors[0]?.name !== 'baseline') expect.fail('the baseline must come first');
  if (others.length !== ingredients.length) expect.fail('every ingredient must be a factor');
  for (const [at, { contribution, direction }] of others.entries()) {
    if (Math.abs(contribution) > Math.abs(others[at - 1]?.contribution ?? 1000)) expect.fail('out of order');
    const sign = direction === 'positive' ? 1 : direction === 'negative' ? -1 : 0;
    if (sign !== (Math.abs(contribution) < 0.5 ? 0 : Math.sign(contribution))) expect.fail('wrong direction');
  }
}
