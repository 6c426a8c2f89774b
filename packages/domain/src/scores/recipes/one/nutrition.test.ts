import { expect, test } from 'vitest';
import { scoreNutrition, type NutritionInput } from './nutrition.ts';

const nothing: NutritionInput = {
  dietaryEnergyKcal: 2000,
  fiberGrams: 28,
  proteinGrams: null,
  addedSugarGrams: null,
  sugarGrams: null,
  saturatedFatGrams: null,
  monounsaturatedFatGrams: null,
  polyunsaturatedFatGrams: null,
  sodiumMg: 2200,
  potassiumMg: null,
  waterMl: null,
  weightKg: null,
  sex: null,
  restingEnergyKcal: null,
  totalEnergyKcal: null,
};
const logged: NutritionInput = { ...nothing, proteinGrams: 75 };
const eat = (change: Partial<NutritionInput>) => scoreNutrition({ ...logged, ...change });

test.each([
  [2000, 'male'],
  [1600, 'female'],
  [1800, 'other'],
  [1800, null],
] as const)('treats %d mL of water as sufficient for %s', (waterMl, sex) => {
  const worth = (drunk: number) =>
    eat({ waterMl: drunk, sex })!.ingredients.find(({ name }) => name === 'hydration')!.subScore;
  expect([0, waterMl / 2, waterMl, waterMl + 500].map(worth)).toEqual([0, 50, 100, 100]);
});

test('prefers added sugar to total sugar', () => {
  const both = eat({ addedSugarGrams: 81.25, sugarGrams: 20 })!.ingredients;
  expect(both.find(({ name }) => name === 'added_sugar')!.subScore).toBeCloseTo(50, 9);
});

test.each([
  ['proteinGrams', 'protein', null, [25, 37.5, 50, 75, 175, 200, 225], [0, 35, 70, 100, 100, 75, 50]],
  ['proteinGrams', 'protein', 100, [0, 40, 80, 120, 220, 260, 300], [0, 35, 70, 100, 100, 85, 70]],
  ['fiberGrams', 'fiber', null, [0, 7, 28, 40], [0, 25, 100, 100]],
  ['addedSugarGrams', 'added_sugar', null, [0, 32.5, 81.25, 130, 200], [100, 100, 50, 0, 0]],
  ['sugarGrams', 'added_sugar', null, [0, 75, 137.5, 200, 300], [100, 100, 50, 0, 0]],
  ['saturatedFatGrams', 'saturated_fat', null, [0, 160 / 9, 80 / 3, 320 / 9, 50], [100, 100, 50, 0, 0]],
  ['sodiumMg', 'sodium', null, [0, 2200, 3100, 4000, 5000], [100, 100, 50, 0, 0]],
  ['potassiumMg', 'potassium', null, [0, 1755, 3510, 4000], [0, 50, 100, 100]],
  [
    'totalEnergyKcal',
    'energy_balance',
    null,
    [5000, 4000, 2000 / 0.6, 2000 / 0.9, 2000 / 1.1, 2000 / 1.4, 2000 / 1.5, 1250],
    [0, 20, 40, 100, 100, 40, 20, 0],
  ],
] as const)('follows the knots for %s: %s', (field, name, weightKg, readings, expected) => {
  const ingredients = readings.map((reading) =>
    eat({ weightKg, [field]: reading })!.ingredients.find((ingredient) => ingredient.name === name),
  );
  expect(ingredients.map((ingredient) => ingredient!.subScore)).toEqual(
    expected.map((each) => expect.closeTo(each, 9)),
  );
});

test.each([
  [9.5, 0],
  [12, 0],
  [18.5, 50],
  [25, 100],
  [30, 100],
])('rates %d g of unsaturated per 10 g of saturated fat as %d', (grams, subScore) => {
  const fats = { saturatedFatGrams: 10, monounsaturatedFatGrams: grams - 2, polyunsaturatedFatGrams: 2 };
  const quality = eat(fats)!.ingredients.find(({ name }) => name === 'fat_quality');
  expect(quality!.subScore).toBeCloseTo(subScore, 9);
});

test('omits fat quality without saturated fat, and energy balance without expenditure', () => {
  const names = eat({
    saturatedFatGrams: 0,
    monounsaturatedFatGrams: 10,
    polyunsaturatedFatGrams: 10,
    totalEnergyKcal: 0,
  })!.ingredients.map(({ name }) => name);
  expect(names).toEqual(['fiber', 'protein', 'saturated_fat', 'sodium']);
});

test('gives no score for a log of part of a day', () => {
  expect(eat({ dietaryEnergyKcal: null })).toBeNull();
  expect(eat({ dietaryEnergyKcal: 499 })).toBeNull();
  expect(eat({ dietaryEnergyKcal: 500 })).not.toBeNull();
  expect(eat({ dietaryEnergyKcal: 749, restingEnergyKcal: 1500 })).toBeNull();
  expect(eat({ dietaryEnergyKcal: 750, restingEnergyKcal: 1500 })).not.toBeNull();
});

test('requires three components and half of the weight', () => {
  expect(scoreNutrition(nothing)).toBeNull();
  const light = { ...nothing, sodiumMg: null, potassiumMg: 1000, waterMl: 1000, totalEnergyKcal: 2000 };
  expect(scoreNutrition(light)).toBeNull();
  expect(scoreNutrition({ ...light, sodiumMg: 2000 })).not.toBeNull();
});
