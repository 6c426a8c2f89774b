import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { sentenceOf } from '../../publish/score-sentence.ts';
import { bandOf } from '../../publish/score-scales.ts';
import type { Scored } from '../../score.ts';
import {
  expectSound,
  history,
  nutritions,
  reading,
  recoveries,
  reserves,
  sleeps,
  strains,
  tenths,
} from '../../test/arbitraries.ts';
import { partsOf } from '../recipe-parts.ts';
import { scoreEnergyReserveTwo } from './energy-reserve.ts';
import { energyNeedOf, scoreNutritionTwo, type NutritionInputTwo } from './nutrition.ts';
import { scoreRecoveryTwo, type RecoveryInputTwo } from './recovery.ts';
import { scoreSleepTwo, type SleepInputTwo } from './sleep.ts';
import { scoreStrainTwo } from './strain.ts';

// Every property sees this many generated person-days: more than 50,000 in total in CI.
const settings = { numRuns: inject('thorough') ? 6000 : 600, seed: 20_261_118 };

const usual = fc.record({
  regularityIndex: reading(40, 100),
  efficiencyPercent: reading(65, 98),
  awakeAfterOnsetMinutes: reading(0, 90),
  restorativePercent: reading(15, 60),
  latencyMinutes: reading(0, 60),
});
const nights: fc.Arbitrary<SleepInputTwo> = fc
  .tuple(sleeps, usual)
  .map(([night, usually]) => ({ ...night, usual: usually }));
const perfect = {
  deepMinutes: null,
  remMinutes: null,
  efficiencyPercent: 97,
  awakeAfterOnsetMinutes: 0,
  latencyMinutes: 5,
  regularityIndex: 99,
};
const mornings: fc.Arbitrary<RecoveryInputTwo> = fc
  .tuple(recoveries, reading(120, 700), history(300, 540))
  .map(([morning, asleepMinutes, asleepHistory]) => ({ ...morning, asleepMinutes, asleepHistory }));
const diets: fc.Arbitrary<NutritionInputTwo> = fc
  .tuple(nutritions, reading(900, 2300))
  .map(([diet, usualRestingEnergyKcal]) => ({ ...diet, usualRestingEnergyKcal }));

/** Runs a check on generated input, and requires that it applies to a fair share. */
function checkAll<Input>(inputs: fc.Arbitrary<Input>, check: (input: Input) => boolean | undefined): void {
  let applied = 0;
  fc.assert(
    fc.property(inputs, (input) => {
      if (check(input) !== false) applied += 1;
    }),
    settings,
  );
  expect(applied).toBeGreaterThan(settings.numRuns / 10);
}

/** Checks that a score is valid, that its factors add up, and that readings without data are named. */
function checkScored(scored: Scored | null, named: readonly string[]): boolean {
  if (scored === null) return false;
  expectSound(scored);
  expect(scored.version).toBe(2);
  for (const { name, assumed } of scored.ingredients)
    if (assumed && !named.includes(name)) expect.fail(`${name} is assumed but not named as missing`);
  return true;
}

const missing = (parts: ReturnType<typeof partsOf>) =>
  parts.flatMap(([name, isThere]) => (isThere ? [] : name));

describe('sleep', () => {
  test('adds up and names what is missing', () => {
    checkAll(nights, (night) => checkScored(scoreSleepTwo(night), missing(partsOf('sleep_score', night))));
  });

  test('is limited by duration, whatever else is perfect', () => {
    const limits = [
      [180, 30],
      [240, 45],
      [300, 60],
      [360, 78],
    ] as const;
    for (const [asleepMinutes, limit] of limits)
      for (const age of [10, 16, 22, 40, 80, null]) {
        const night = { ...perfect, age, asleepMinutes, deepMinutes: asleepMinutes / 2, remMinutes: 0 };
        const { value } = scoreSleepTwo({ ...night, usual: noUsual })!;
        expect(value).toBeLessThanOrEqual(limit);
      }
    checkAll(nights, (night) => {
      const score = scoreSleepTwo(night);
      if (!score) return false;
      for (const [minutes, limit] of limits)
        if (night.asleepMinutes! <= minutes && score.value > limit)
          expect.fail(`${night.asleepMinutes} minutes give ${score.value}`);
    });
  });

  test('is continuous in the time asleep', () => {
    checkAll(nights, (night) => {
      const score = scoreSleepTwo(night);
      if (!score) return false;
      // Stages are a share of the time asleep, and so are steep in very short sleep.
      const same = { ...night, deepMinutes: null, remMinutes: null };
      const longer = { ...same, asleepMinutes: night.asleepMinutes! + 1 };
      expect(Math.abs(scoreSleepTwo(longer)!.value - scoreSleepTwo(same)!.value)).toBeLessThanOrEqual(1);
    });
  });

  test('hardly moves with a new sensor that reads average values', () => {
    const average = fc.record({
      efficiencyPercent: tenths(84, 88),
      awakeAfterOnsetMinutes: tenths(30, 40),
      latencyMinutes: tenths(10, 20),
      restorative: fc.double({ min: 0.36, max: 0.42, noNaN: true }),
    });
    checkAll(fc.tuple(nights, average), ([night, { restorative, ...sensed }]) => {
      if (!night.asleepMinutes) return false;
      const before = { ...night, ...withoutSensor, usual: noUsual };
      const deepMinutes = (restorative * night.asleepMinutes) / 2;
      const after = { ...before, ...sensed, deepMinutes, remMinutes: deepMinutes };
      const moved = scoreSleepTwo(after)!.value - scoreSleepTwo(before)!.value;
      if (Math.abs(moved) > 5) expect.fail(`the sensor moves the score by ${moved}`);
    });
  });

  test('does not move when a sensor confirms the usual values', () => {
    checkAll(nights, (night) => {
      if (!night.asleepMinutes) return false;
      const { usual: usually } = night;
      const before = {
        ...night,
        efficiencyPercent: null,
        awakeAfterOnsetMinutes: null,
        latencyMinutes: null,
      };
      const { efficiencyPercent, awakeAfterOnsetMinutes, latencyMinutes } = usually;
      const after = { ...before, efficiencyPercent, awakeAfterOnsetMinutes, latencyMinutes };
      expect(scoreSleepTwo(after)!.value).toBe(scoreSleepTwo(before)!.value);
    });
  });

  test('has low confidence exactly if nothing but the time asleep is known about the night', () => {
    checkAll(nights, (night) => {
      const { age, asleepMinutes, regularityIndex } = night;
      if (!asleepMinutes) return false;
      expect(scoreSleepTwo({ ...night, ...withoutSensor })!.confidence).toBe('low');
      expect(
        scoreSleepTwo({
          age,
          asleepMinutes,
          regularityIndex,
          usual: noUsual,
          ...withoutSensor,
          latencyMinutes: 9,
        })!.confidence,
      ).toBe('normal');
    });
  });
});

const noUsual: SleepInputTwo['usual'] = {
  regularityIndex: null,
  efficiencyPercent: null,
  awakeAfterOnsetMinutes: null,
  restorativePercent: null,
  latencyMinutes: null,
};
const withoutSensor = {
  deepMinutes: null,
  remMinutes: null,
  efficiencyPercent: null,
  awakeAfterOnsetMinutes: null,
  latencyMinutes: null,
};

describe('nutrition', () => {
  test('adds up and names what is missing', () => {
    checkAll(diets, (diet) =>
      checkScored(scoreNutritionTwo(diet), missing(partsOf('nutrition_score', diet))),
    );
  });

  test('is limited by too little and too much energy', () => {
    checkAll(diets, (diet) => {
      const score = scoreNutritionTwo(diet);
      if (!score) return false;
      const [eaten, needed] = [diet.dietaryEnergyKcal!, energyNeedOf(diet)];
      if (eaten < 1000 && score.value > 30) expect.fail(`${eaten} kcal give ${score.value}`);
      if (eaten < needed / 2 && score.value > 40)
        expect.fail(`${eaten} of ${needed} kcal give ${score.value}`);
      if (eaten > 2 * needed && score.value > 50)
        expect.fail(`${eaten} of ${needed} kcal give ${score.value}`);
    });
  });

  test('is never described as good if the person ate too little', () => {
    checkAll(diets, (diet) => {
      const score = scoreNutritionTwo(diet);
      if (!score || diet.dietaryEnergyKcal! >= 0.75 * energyNeedOf(diet)) return false;
      expect(bandOf('nutrition_score', score.value)).not.toBe('good');
      expect(score.factors.find(({ name }) => name === 'energy_balance')!.contribution).toBeLessThanOrEqual(
        0,
      );
      if (!score.factors.some(({ name }) => name === 'too_little_energy')) return;
      const text = sentenceOf({
        type: 'nutrition_score',
        name: 'Nutrition',
        shown: score,
        current: score.value,
        upToDate: true,
        waiting: false,
        lacking: null,
      });
      expect(text).toContain('Less energy was logged than the body needs');
      expect(text).not.toMatch(/adds|good/);
    });
  });
});

describe('strain', () => {
  test('adds up', () => {
    checkAll(strains, (work) => checkScored(scoreStrainTwo(work), []));
  });

  test('moves by at most 5 points with one more beat during eight hours', () => {
    checkAll(fc.tuple(strains, tenths(40, 210)), ([work, bpm]) => {
      const rest = { ...work, zoneMinutes: [], ratedSessions: [], activeCalories: null };
      const at = (rate: number) => scoreStrainTwo({ ...rest, heartRateMinutes: [[480, rate]] })!.value;
      const moved = at(bpm + 1) - at(bpm);
      if (moved < 0 || moved > 5) expect.fail(`from ${bpm} bpm, one beat moves strain by ${moved}`);
    });
  });
});

describe('recovery', () => {
  /** A person whose readings were the same on every day. */
  const constants = fc
    .record({
      hrv: tenths(12, 150),
      restingHeartRate: tenths(38, 90),
      asleepMinutes: tenths(200, 600),
      load: tenths(0, 250),
      respiratoryRate: tenths(11, 20),
      bodyTemperature: tenths(33, 37),
      days: fc.integer({ min: 4, max: 64 }),
    })
    .map(({ days, load, ...today }): RecoveryInputTwo => {
      const always = (value: number) => Array.from({ length: days }, () => value);
      return {
        ...today,
        hrvHistory: always(today.hrv),
        restingHeartRateHistory: always(today.restingHeartRate),
        asleepHistory: always(today.asleepMinutes),
        loadHistory: always(load),
        respiratoryRateHistory: always(today.respiratoryRate),
        bodyTemperatureHistory: always(today.bodyTemperature),
      };
    });

  test('adds up and names what is missing', () => {
    checkAll(mornings, (morning) =>
      checkScored(scoreRecoveryTwo(morning), missing(partsOf('recovery_score', morning))),
    );
  });

  test('is 50 for a person whose readings never change', () => {
    checkAll(constants, (morning) => {
      expect(Math.abs(scoreRecoveryTwo(morning)!.value - 50)).toBeLessThanOrEqual(2);
    });
  });

  test('is low with a resting heart rate 25 beats above normal, or a quarter of the normal variability', () => {
    checkAll(mornings, (morning) => {
      const score = scoreRecoveryTwo(morning);
      const usually = score?.baselines.find(({ input }) => input === 'resting_heart_rate');
      if (!usually) return false;
      const restingHeartRate = usually.centre + 25;
      const band = bandOf('recovery_score', scoreRecoveryTwo({ ...morning, restingHeartRate })!.value);
      expect(band).toBe('low');
    });
    checkAll(mornings, (morning) => {
      const score = scoreRecoveryTwo(morning);
      const usually = score?.baselines.find(({ input }) => input === 'heart_rate_variability');
      if (!usually) return false;
      const hrv = Math.exp(usually.centre) / 4;
      expect(bandOf('recovery_score', scoreRecoveryTwo({ ...morning, hrv })!.value)).toBe('low');
    });
  });
});

describe('energy reserve', () => {
  test('adds up and names what is missing', () => {
    checkAll(reserves, (day) =>
      checkScored(scoreEnergyReserveTwo(day), missing(partsOf('energy_reserve_score', day))),
    );
  });

  test('differs at waking by at least 20 points between five and nine hours of sleep', () => {
    checkAll(reserves, (day) => {
      const at = (asleepMinutes: number) =>
        scoreEnergyReserveTwo({ ...day, asleepMinutes, hoursAwake: 0, strainScore: null })!.value;
      expect(at(540) - at(300)).toBeGreaterThanOrEqual(20);
    });
  });
});
