import { expect, test } from 'vitest';
import { scoreEnergyReserve, type EnergyReserveInput } from './energy-reserve.ts';

const slept: EnergyReserveInput = {
  previousClose: 20,
  asleepMinutes: 252,
  recoveryScore: 50,
  hoursAwake: 0,
  strainScore: null,
  stressScore: null,
};
const reserve = (change: Partial<EnergyReserveInput>) => scoreEnergyReserve({ ...slept, ...change });
const entries = (change: Partial<EnergyReserveInput>) =>
  Object.fromEntries(reserve(change)!.ingredients.map(({ name, contribution }) => [name, contribution]));

test('leaves 1/e of the deficit after one time constant of sleep', () => {
  expect(entries({})).toEqual({
    carried_over: 20,
    sleep_charge: expect.closeTo(80 * (1 - Math.exp(-1)), 9),
    time_awake: 0,
  });
  expect(reserve({})).toMatchObject({ value: 70.6, figures: { energy_reserve_high: 70.6 } });
});

test('uses typical values for unknown inputs', () => {
  expect(reserve({ recoveryScore: null })!.value).toBe(70.6);
  expect(entries({ previousClose: null })['carried_over']).toBe(25);
});

test('speeds up charging by up to 1.4 with recovery', () => {
  const chargeAt = (recoveryScore: number) => entries({ recoveryScore })['sleep_charge'];
  expect(chargeAt(0)).toBeCloseTo(80 * (1 - Math.exp(-0.6)), 9);
  expect(chargeAt(100)).toBeCloseTo(80 * (1 - Math.exp(-1.4)), 9);
});

test('drains with a time constant while awake, and by a quarter of strain', () => {
  const drained = entries({ hoursAwake: 18.2, strainScore: 40 });
  expect(drained['time_awake']).toBeCloseTo(-(100 - 80 / Math.E) * (1 - Math.exp(-1)), 9);
  expect(drained['strain']).toBe(-10);
});

test.each([
  [30, 16, 0],
  [50, 16, -6],
  [50, 8, -3],
  [100, 24, -20],
  [10, 16, 6],
  [0, 24, 8],
])('rates stress of %d over %d hours as %d', (stressScore, hoursAwake, contribution) => {
  expect(entries({ stressScore, hoursAwake })['stress']).toBe(contribution);
});

test('reports the high of the morning regardless of the rest of the day', () => {
  const { figures, value } = reserve({ hoursAwake: 20, strainScore: 100, stressScore: 100 })!;
  expect(value).toBe(0);
  expect(figures).toEqual({ energy_reserve_high: 70.6 });
});

test('gives no score without sleep', () => {
  expect(reserve({ asleepMinutes: null })).toBeNull();
  expect(reserve({ hoursAwake: null })).toBeNull();
});
