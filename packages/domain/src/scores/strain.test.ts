import { expect, test } from 'vitest';
import {
  loadByBand,
  loadOfMinutes,
  loadOfRating,
  loadPerMinute,
  scoreStrain,
  strainOfLoad,
  type StrainInput,
} from './strain.ts';

/** The reserve is 100 beats: each beat above 60 is a hundredth of it. */
const nothing: StrainInput = {
  restingHeartRate: 60,
  maxHeartRate: 160,
  sex: 'male',
  heartRateMinutes: [],
  zoneMinutes: [],
  ratedSessions: [],
  activeCalories: null,
  weightKg: null,
};
const strain = (change: Partial<StrainInput>) => scoreStrain({ ...nothing, ...change });

test.each([
  [0, 0],
  [20, 21.2746],
  [74, 47.499],
  [156, 66.7491],
  [306, 85.6686],
  [500, 100],
  [5000, 100],
])('a load of %d is a strain of %d', (load, value) => {
  expect(strainOfLoad(load)).toBeCloseTo(value, 3);
});

test('a minute weighs differently for each sex, and the mean of them for others', () => {
  expect(loadPerMinute(0.5, 'male')).toBeCloseTo(0.8357, 4);
  expect(loadPerMinute(0.5, 'female')).toBeCloseTo(0.9911, 4);
  const mean = (loadPerMinute(0.5, 'male') + loadPerMinute(0.5, 'female')) / 2;
  expect(loadPerMinute(0.5, 'other')).toBe(mean);
  expect(loadPerMinute(0.5, null)).toBe(mean);
});

test.each([
  [89, null],
  [90, 'light_activity'],
  [99, 'light_activity'],
  [100, 'moderate_activity'],
  [120, 'vigorous_activity'],
  [149, 'vigorous_activity'],
  [150, 'maximal_activity'],
  [190, 'maximal_activity'],
])('%d beats are %s', (bpm, band) => {
  const loads = loadByBand({ ...nothing, heartRateMinutes: [[10, bpm]] });
  const found = Object.entries(loads).filter(([, load]) => load > 0);
  expect(found.map(([name]) => name)).toEqual(band === null ? [] : [band]);
  if (band !== null) expect(found[0]![1]).toBe(10 * loadPerMinute(Math.min(1, (bpm - 60) / 100), 'male'));
});

test('zones stand for the middle of their band', () => {
  const loads = loadByBand({ ...nothing, zoneMinutes: [10, 10, 10, 10, 10] });
  // 88, 104, 120, 136 and 152 beats a minute.
  expect(loads).toEqual({
    light_activity: 0,
    moderate_activity: expect.closeTo(10 * loadPerMinute(0.44, 'male'), 9),
    vigorous_activity: expect.closeTo(10 * (loadPerMinute(0.6, 'male') + loadPerMinute(0.76, 'male')), 9),
    maximal_activity: expect.closeTo(10 * loadPerMinute(0.92, 'male'), 9),
  });
  expect(loadOfMinutes({ ...nothing, zoneMinutes: [10, 10, 10, 10, 10] })).toBeCloseTo(74.0768, 3);
});

test('without a reserve the heart rate tells nothing', () => {
  const work = { ...nothing, maxHeartRate: 60, heartRateMinutes: [[60, 150] as const] };
  expect(loadOfMinutes(work)).toBe(0);
});

test('all kinds of load share the strain', () => {
  const { value, factors, figures } = strain({
    heartRateMinutes: [[30, 130]],
    ratedSessions: [
      [5, 20],
      [5, 10],
    ],
    activeCalories: 300,
    weightKg: 60,
  })!;
  expect(loadOfRating(5, 20)).toBe(30);
  expect(figures).toEqual({ training_load: 120.5 });
  expect([value, ...factors.map(({ name, contribution }) => [name, contribution])]).toEqual([
    59.8,
    ['vigorous_activity', 25.6],
    ['perceived_exertion', 22.3],
    ['active_energy', 11.9],
  ]);
});

test('energy counts beyond 2 kcal/kg', () => {
  expect(strain({ activeCalories: 120, weightKg: 60 })).toMatchObject({ value: 0, factors: [] });
  expect(strain({ activeCalories: 180, weightKg: 60 })!.figures).toEqual({ training_load: 8 });
});

test('rest is 0, and nothing to tell it by is no score', () => {
  expect(strain({ heartRateMinutes: [[600, 70]] })).toMatchObject({ value: 0, factors: [], ingredients: [] });
  expect(strain({})).toBeNull();
  expect(strain({ activeCalories: 500 })).toBeNull();
  expect(strain({ weightKg: 70 })).toBeNull();
  expect(strain({ activeCalories: 500, weightKg: 0 })).toBeNull();
});
