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

/** The reserve is 100 beats, so each beat above 60 is a hundredth of it. */
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
])('converts a load of %d to a strain of %d', (load, value) => {
  expect(strainOfLoad(load)).toBeCloseTo(value, 3);
});

test('weights a minute by sex, and uses the mean if it is unknown', () => {
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
])('classifies %d beats as %s', (bpm, band) => {
  const loads = loadByBand({ ...nothing, heartRateMinutes: [[10, bpm]] });
  const nonzeroLoads = Object.entries(loads).filter(([, load]) => load > 0);
  expect(nonzeroLoads.map(([name]) => name)).toEqual(band === null ? [] : [band]);
  if (band !== null)
    expect(nonzeroLoads[0]![1]).toBe(10 * loadPerMinute(Math.min(1, (bpm - 60) / 100), 'male'));
});

test('uses the middle of each zone', () => {
  const loads = loadByBand({ ...nothing, zoneMinutes: [10, 10, 10, 10, 10] });
  // 88, 104, 120, 136 and 152 beats per minute.
  expect(loads).toEqual({
    light_activity: 0,
    moderate_activity: expect.closeTo(10 * loadPerMinute(0.44, 'male'), 9),
    vigorous_activity: expect.closeTo(10 * (loadPerMinute(0.6, 'male') + loadPerMinute(0.76, 'male')), 9),
    maximal_activity: expect.closeTo(10 * loadPerMinute(0.92, 'male'), 9),
  });
  expect(loadOfMinutes({ ...nothing, zoneMinutes: [10, 10, 10, 10, 10] })).toBeCloseTo(74.0768, 3);
});

test('ignores heart rate without a reserve', () => {
  const work = { ...nothing, maxHeartRate: 60, heartRateMinutes: [[60, 150] as const] };
  expect(loadOfMinutes(work)).toBe(0);
});

test('divides the strain between all kinds of load', () => {
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

test('counts energy beyond 2 kcal/kg', () => {
  expect(strain({ activeCalories: 120, weightKg: 60 })).toMatchObject({ value: 0, factors: [] });
  expect(strain({ activeCalories: 180, weightKg: 60 })!.figures).toEqual({ training_load: 8 });
});

test('is 0 for rest and null without activity data', () => {
  expect(strain({ heartRateMinutes: [[600, 70]] })).toMatchObject({ value: 0, factors: [], ingredients: [] });
  expect(strain({})).toBeNull();
  expect(strain({ activeCalories: 500 })).toBeNull();
  expect(strain({ weightKg: 70 })).toBeNull();
  expect(strain({ activeCalories: 500, weightKg: 0 })).toBeNull();
});
