import { expect, test } from 'vitest';
import { scoreSleep, type SleepInput } from './sleep.ts';

const onlyAsleep: SleepInput = {
  age: null,
  asleepMinutes: 480,
  deepMinutes: null,
  remMinutes: null,
  efficiencyPercent: null,
  awakeAfterOnsetMinutes: null,
  latencyMinutes: null,
  regularityIndex: null,
};
const sleep = (change: Partial<SleepInput>) => scoreSleep({ ...onlyAsleep, ...change });

test.each([
  [13, 5, 0],
  [13, 7, 55],
  [13, 9, 85],
  [13, 11, 100],
  [13, 12, 80],
  [14, 9, 100],
  [14, 6, 27.5],
  [14, 8, 85],
  [17, 10, 100],
  [17, 11, 80],
  [18, 5, 27.5],
  [18, 9, 100],
  [25, 10, 90],
  [18, 11, 80],
  [26, 10, 80],
  [64, 10, 80],
  [null, 10, 80],
  [65, 10, 65],
  [65, 7, 85],
  [65, 8, 100],
  [65, 9, 80],
  [65, 5, 55],
  [40, 5, 27.5],
  [40, 6, 55],
  [40, 7.5, 92.5],
  [40, 9, 100],
  [40, 3, 0],
  [40, 14, 50],
])('rates at %s years %d hours as %d', (age, hours, value) => {
  expect(sleep({ age, asleepMinutes: hours * 60 })!.value).toBe(value);
});

test.each([
  [
    'regularityIndex',
    'regularity',
    [-20, 41, 50.5, 60, 73.8, 81, 86.3, 90.65, 95],
    [0, 0, 12.5, 25, 55, 75, 90, 95, 100],
  ],
  ['efficiencyPercent', 'efficiency', [65, 69.5, 74, 85, 92, 93.5, 95], [0, 12.5, 25, 75, 95, 97.5, 100]],
  ['awakeAfterOnsetMinutes', 'continuity', [0, 5, 10, 20, 41, 65.5, 90], [100, 97.5, 95, 75, 25, 12.5, 0]],
  ['latencyMinutes', 'latency', [0, 7.5, 15, 30, 60, 75, 90], [100, 97.5, 95, 75, 25, 12.5, 0]],
  ['remMinutes', 'restorative_sleep', [10, 15, 20, 33, 42, 60, 67.5, 75], [0, 15, 30, 75, 100, 100, 80, 60]],
] as const)('follows the knots for %s: %s', (field, name, readings, expected) => {
  const base = { asleepMinutes: 100, deepMinutes: 0 };
  const ingredients = readings.map((reading) =>
    sleep({ ...base, [field]: reading })!.ingredients.find((ingredient) => ingredient.name === name),
  );
  expect(ingredients.map((ingredient) => ingredient!.subScore)).toEqual(
    expected.map((each) => expect.closeTo(each, 9)),
  );
});

test('redistributes the weights of missing components', () => {
  const { ingredients, figures } = sleep({ deepMinutes: 96, remMinutes: 120, latencyMinutes: 10 })!;
  expect(ingredients.map(({ name, weight, share }) => [name, weight, share])).toEqual(
    [
      ['duration', 0.35, 0.7],
      ['restorative_sleep', 0.1, 0.2],
      ['latency', 0.05, 0.1],
    ].map(([name, weight, share]) => [name, weight, expect.closeTo(share as number, 9)]),
  );
  expect(figures).toEqual({ restorative_percent: 45 });
});

test('requires both stages and time asleep for restorative sleep', () => {
  expect(sleep({ deepMinutes: 96 })!.ingredients).toHaveLength(1);
  expect(sleep({ remMinutes: 96 })!.ingredients).toHaveLength(1);
  expect(sleep({ deepMinutes: 0, remMinutes: 0, asleepMinutes: 0 })!.ingredients).toHaveLength(1);
});

test('gives no score without sleep', () => {
  expect(sleep({ asleepMinutes: null, efficiencyPercent: 90 })).toBeNull();
});
