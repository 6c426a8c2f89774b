import { expect, test } from 'vitest';
import { scoreEnergyReserve } from '../recipes/one/energy-reserve.ts';
import { bandOf, scoreScales } from './score-scales.ts';
import { scoreSleep } from '../recipes/one/sleep.ts';
import { scoreStrain } from '../recipes/one/strain.ts';
import { scoreTypes, type ScoreType } from '../score.ts';

test.each<[ScoreType, [number, string][]]>([
  [
    'recovery_score',
    [
      [0, 'low'],
      [33.9, 'low'],
      [34, 'moderate'],
      [66.9, 'moderate'],
      [67, 'high'],
      [100, 'high'],
    ],
  ],
  [
    'sleep_score',
    [
      [0, 'poor'],
      [59.9, 'poor'],
      [60, 'fair'],
      [75, 'good'],
      [84.9, 'good'],
      [85, 'very good'],
    ],
  ],
  [
    'strain_score',
    [
      [0, 'light'],
      [47.9, 'light'],
      [48, 'moderate'],
      [67, 'high'],
      [86, 'very high'],
    ],
  ],
  [
    'stress_score',
    [
      [0, 'rest'],
      [25.9, 'rest'],
      [26, 'low'],
      [51, 'medium'],
      [76, 'high'],
    ],
  ],
  [
    'nutrition_score',
    [
      [0, 'poor'],
      [50.9, 'poor'],
      [51, 'needs work'],
      [80.9, 'needs work'],
      [81, 'good'],
    ],
  ],
  [
    'energy_reserve_score',
    [
      [0, 'low'],
      [26, 'medium'],
      [51, 'high'],
      [75.9, 'high'],
      [76, 'very high'],
    ],
  ],
])('has a band for every value of %s, starting at its lower bound', (type, expected) => {
  expect(expected.map(([value]) => [value, bandOf(type, value)])).toEqual(expected);
});

test('starts every scale at 0 and states what a score requires', () => {
  for (const type of scoreTypes) {
    expect(scoreScales[type].bands[0]![0]).toBe(0);
    expect(scoreScales[type].minimum).toMatch(/\w/);
  }
});

test('uses the neutral points of the recipes', () => {
  const night = {
    deepMinutes: null,
    remMinutes: null,
    efficiencyPercent: null,
    awakeAfterOnsetMinutes: null,
  };
  const rested = { asleepMinutes: 450, age: null, latencyMinutes: null, regularityIndex: null, ...night };
  expect(scoreSleep(rested)!.neutral).toBe(scoreScales.sleep_score.neutral);
  const others = { recoveryScore: null, strainScore: null, stressScore: null, previousClose: null };
  expect(scoreEnergyReserve({ asleepMinutes: 450, hoursAwake: 2, ...others })!.neutral).toBe(
    scoreScales.energy_reserve_score.neutral,
  );
  const rest = { restingHeartRate: 60, maxHeartRate: 185, sex: null, heartRateMinutes: [], zoneMinutes: [] };
  expect(scoreStrain({ ...rest, ratedSessions: [], activeCalories: 90, weightKg: 60 })!.neutral).toBe(
    scoreScales.strain_score.neutral,
  );
});
