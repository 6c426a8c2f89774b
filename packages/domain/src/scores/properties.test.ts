import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { recentReadings } from './inputs/baseline.ts';
import { scoreEnergyReserve } from './recipes/one/energy-reserve.ts';
import { scoreNutrition } from './recipes/one/nutrition.ts';
import { scoreRecovery, type RecoveryInput } from './recipes/one/recovery.ts';
import type { Scored } from './score.ts';
import { scoreSleep } from './recipes/one/sleep.ts';
import { scoreStrain } from './recipes/one/strain.ts';
import { scoreStress, stressOfEpoch } from './recipes/stress.ts';
import {
  epoch,
  epochBaselines,
  expectSound,
  nutritions,
  recoveries,
  reserves,
  rise,
  sleeps,
  strains,
  stresses,
  tenths,
} from './test/arbitraries.ts';

const settings = { numRuns: inject('thorough') ? 4000 : 800, seed: 20_260_101 };

/** Checks that the recipe gives a valid score exactly when it has enough data. */
function checkSoundness<Input>(
  inputs: fc.Arbitrary<Input>,
  recipe: (input: Input) => Scored | null,
  isEnough: (input: Input) => boolean,
): void {
  let scores = 0;
  fc.assert(
    fc.property(inputs, (input) => {
      const scored = recipe(input);
      if ((scored !== null) !== isEnough(input)) expect.fail(scored === null ? 'no score' : 'a score');
      if (scored === null) return;
      expectSound(scored);
      scores += 1;
    }),
    settings,
  );
  // The check is meaningful only if a fair share of inputs gives a score.
  expect(scores).toBeGreaterThan(settings.numRuns / 5);
  expect(scores).toBeLessThan(settings.numRuns);
}

/** Checks that raising one reading, all else being equal, never moves the score the other way. */
function checkMonotone<Input extends object>(
  inputs: fc.Arbitrary<Input>,
  recipe: (input: Input) => Scored | null,
  readings: Partial<Record<keyof Input, 'raises' | 'lowers'>>,
  applies: (input: Input, raised: Input) => boolean = () => true,
): void {
  const names = Object.keys(readings) as (keyof Input)[];
  fc.assert(
    fc.property(inputs, rise, fc.constantFrom(...names), (input, by, name) => {
      const before = input[name];
      if (typeof before !== 'number') return;
      const raised = { ...input, [name]: before + by * Math.max(1, Math.abs(before) / 20) };
      const [lower, higher] = [recipe(input), recipe(raised)];
      if (lower === null || higher === null || !applies(input, raised)) return;
      const moved = higher.value - lower.value;
      if (readings[name] === 'raises' ? moved < 0 : moved > 0)
        expect.fail(`${String(name)} + ${by} moves the score from ${lower.value} to ${higher.value}`);
    }),
    settings,
  );
}

const shown = (scored: Scored | null) => scored && { value: scored.value, factors: scored.factors };

const countOf = (days: readonly (number | null)[]) => recentReadings(days).length;

describe('recovery', () => {
  const hasHrv = ({ hrv, hrvHistory }: RecoveryInput) => hrv !== null && countOf(hrvHistory) >= 3;
  const hasResting = ({ restingHeartRate, restingHeartRateHistory }: RecoveryInput) =>
    restingHeartRate !== null && countOf(restingHeartRateHistory) >= 3;

  // @contract scores-1/fields: Factors add up exactly to the value, in tenths
  test('is valid, and null exactly without heart data or with less than 0.45 of the weight', () => {
    checkSoundness(recoveries, scoreRecovery, (input) => {
      const hasTrend = hasHrv(input) && recentReadings(input.hrvHistory, 6).length >= 2;
      const weight =
        (hasHrv(input) ? 25 : 0) +
        (hasTrend ? 15 : 0) +
        (hasResting(input) ? 20 : 0) +
        (input.sleepScore === null ? 0 : 25) +
        (countOf(input.loadHistory) >= 4 ? 15 : 0);
      return (hasHrv(input) || hasResting(input)) && weight >= 45;
    });
  });

  test('rises with sleep, and never rises with respiration, temperature or a resting heart rate above its best', () => {
    checkMonotone(recoveries, scoreRecovery, {
      sleepScore: 'raises',
      respiratoryRate: 'lowers',
      bodyTemperature: 'lowers',
    });
    checkMonotone(recoveries, scoreRecovery, { restingHeartRate: 'lowers' }, (input) => {
      const usual = baselineNamed(scoreRecovery(input)!, 'resting_heart_rate');
      return usual === undefined || input.restingHeartRate! >= usual.centre - 2 * usual.sd;
    });
  });

  test('rises with variability up to two deviations above the baseline', () => {
    checkMonotone(recoveries, scoreRecovery, { hrv: 'raises' }, (_, raised) => {
      const usual = baselineNamed(scoreRecovery(raised)!, 'heart_rate_variability');
      const week = [...recentReadings(raised.hrvHistory, 6), raised.hrv!].map(Math.log);
      const mean = week.reduce((sum, each) => sum + each, 0) / week.length;
      return usual === undefined || Math.max(mean, week.at(-1)!) <= usual.centre + 2 * usual.sd;
    });
  });
});

function baselineNamed({ baselines }: Scored, name: string) {
  return baselines.find(({ input }) => input === name);
}

describe('sleep', () => {
  test('is valid, and null exactly without sleep', () => {
    checkSoundness(sleeps, scoreSleep, ({ asleepMinutes }) => asleepMinutes !== null);
  });

  test('rises with efficiency and regularity, and falls with time awake and latency', () => {
    checkMonotone(sleeps, scoreSleep, {
      efficiencyPercent: 'raises',
      regularityIndex: 'raises',
      awakeAfterOnsetMinutes: 'lowers',
      latencyMinutes: 'lowers',
    });
  });
});

describe('strain', () => {
  test('is valid, and null exactly without any data on activity', () => {
    const sparse = fc.oneof(
      strains,
      strains.map((input) => ({ ...input, heartRateMinutes: [], ratedSessions: [] })),
    );
    checkSoundness(sparse, scoreStrain, ({ activeCalories, weightKg, ...lists }) => {
      const { heartRateMinutes, zoneMinutes, ratedSessions } = lists;
      return (
        heartRateMinutes.length + zoneMinutes.length + ratedSessions.length > 0 ||
        (activeCalories !== null && weightKg !== null)
      );
    });
  });

  test('never falls with more minutes, harder sessions or energy', () => {
    checkMonotone(strains, scoreStrain, { activeCalories: 'raises' });
    fc.assert(
      fc.property(strains, rise, tenths(40, 210), tenths(0, 10), (input, minutes, bpm, rpe) => {
        const value = scoreStrain(input)?.value ?? 0;
        const longer = { ...input, heartRateMinutes: [...input.heartRateMinutes, [minutes, bpm] as const] };
        const more = { ...input, ratedSessions: [...input.ratedSessions, [rpe, minutes] as const] };
        return scoreStrain(longer)!.value >= value && scoreStrain(more)!.value >= value;
      }),
      settings,
    );
  });

  test('does not depend on the order of minutes and sessions', () => {
    fc.assert(
      fc.property(strains, (input) => {
        const turned = {
          ...input,
          heartRateMinutes: input.heartRateMinutes.toReversed(),
          ratedSessions: input.ratedSessions.toReversed(),
        };
        expect(shown(scoreStrain(turned))).toEqual(shown(scoreStrain(input)));
      }),
      settings,
    );
  });
});

describe('stress', () => {
  test('is valid, and null exactly without three hours of epochs and without a night', () => {
    const sparse = fc.oneof(
      stresses,
      stresses.map((input) => ({ ...input, hrv: null, restingHeartRate: null })),
    );
    checkSoundness(
      sparse,
      scoreStress,
      ({ epochs, epochBaseline, hrv, hrvHistory, restingHeartRate, restingHeartRateHistory }) =>
        (epochs.length >= 36 && epochBaseline !== null) ||
        (hrv !== null && countOf(hrvHistory) >= 3) ||
        (restingHeartRate !== null && countOf(restingHeartRateHistory) >= 3),
    );
  });

  test('of an epoch rises with heart rate and falls with variability', () => {
    fc.assert(
      fc.property(epoch, epochBaselines, rise, ({ bpm, hrv }, baselines, by) => {
        const value = stressOfEpoch({ bpm, hrv }, baselines);
        if (value < 0 || value > 100) return false;
        if (stressOfEpoch({ bpm: bpm + by, hrv }, baselines) < value) return false;
        return hrv === null || stressOfEpoch({ bpm, hrv: hrv + by }, baselines) <= value;
      }),
      settings,
    );
  });

  test('of a day rises with the resting heart rate and falls with variability', () => {
    const nights = stresses.map((input) => ({ ...input, epochs: [] }));
    checkMonotone(nights, scoreStress, { restingHeartRate: 'raises', hrv: 'lowers' });
  });

  test('is the mean of its epochs in any order', () => {
    const days = fc.tuple(stresses, fc.array(epoch, { minLength: 36, maxLength: 60 }), epochBaselines);
    fc.assert(
      fc.property(days, ([others, epochs, epochBaseline]) => {
        const scored = scoreStress({ ...others, epochs, epochBaseline })!;
        const sorted = epochs.toSorted((a, b) => a.bpm - b.bpm);
        expect(shown(scoreStress({ ...others, epochs: sorted, epochBaseline }))).toEqual(shown(scored));
        const sum = epochs.reduce((total, each) => total + stressOfEpoch(each, epochBaseline), 0);
        expect(Math.abs(sum / epochs.length - scored.value)).toBeLessThan(0.050001);
      }),
      settings,
    );
  });
});

describe('nutrition', () => {
  test('is valid, and null exactly for a partial day or too few nutrients', () => {
    checkSoundness(nutritions, scoreNutrition, (input) => {
      const { dietaryEnergyKcal: eaten, restingEnergyKcal, saturatedFatGrams: saturated } = input;
      if (eaten === null || eaten < 500 || eaten < (restingEnergyKcal ?? 0) / 2) return false;
      const { monounsaturatedFatGrams: mono, polyunsaturatedFatGrams: poly } = input;
      const weights = [
        input.fiberGrams !== null && 20,
        input.proteinGrams !== null && 15,
        (input.addedSugarGrams !== null || input.sugarGrams !== null) && 15,
        saturated !== null && 15,
        input.sodiumMg !== null && 15,
        mono !== null && poly !== null && saturated !== null && saturated > 0 && 5,
        input.potassiumMg !== null && 5,
        input.waterMl !== null && 5,
        input.totalEnergyKcal !== null && 5,
      ].filter((weight) => weight !== false);
      return weights.length >= 3 && weights.reduce((sum, weight) => sum + weight, 0) >= 50;
    });
  });

  test('rises with fiber, potassium and water, and falls with sugar, salt and saturated fat', () => {
    const fat = nutritions.filter(({ saturatedFatGrams }) => saturatedFatGrams !== 0);
    checkMonotone(fat, scoreNutrition, {
      fiberGrams: 'raises',
      potassiumMg: 'raises',
      waterMl: 'raises',
      addedSugarGrams: 'lowers',
      sugarGrams: 'lowers',
      sodiumMg: 'lowers',
      saturatedFatGrams: 'lowers',
    });
  });
});

describe('energy reserve', () => {
  test('is valid, and null exactly without sleep', () => {
    checkSoundness(
      reserves,
      scoreEnergyReserve,
      ({ asleepMinutes, hoursAwake }) => asleepMinutes !== null && hoursAwake !== null,
    );
  });

  test('rises with sleep, and falls with strain and stress', () => {
    checkMonotone(reserves, scoreEnergyReserve, {
      asleepMinutes: 'raises',
      strainScore: 'lowers',
      stressScore: 'lowers',
    });
  });

  test('falls with time awake unless calm periods restore it', () => {
    const stressed = reserves.filter(({ stressScore }) => stressScore === null || stressScore >= 30);
    checkMonotone(stressed, scoreEnergyReserve, { hoursAwake: 'lowers' });
  });
});
