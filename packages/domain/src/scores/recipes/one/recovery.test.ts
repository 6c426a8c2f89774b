import { expect, test } from 'vitest';
import { exponentialMean, scoreRecovery, type RecoveryInput } from './recovery.ts';

/** A usual morning, moved only by the sleep score. */
const usual: RecoveryInput = {
  hrv: 60,
  hrvHistory: [60, 60, 60, 60],
  restingHeartRate: 54,
  restingHeartRateHistory: [54, 54, 54, 54],
  sleepScore: 75,
  loadHistory: [50, 50, 50, 50],
  respiratoryRate: 14,
  respiratoryRateHistory: [14, 14, 14],
  bodyTemperature: 34.5,
  bodyTemperatureHistory: [34.5, 34.5, 34.5],
};
const recover = (change: Partial<RecoveryInput>) => scoreRecovery({ ...usual, ...change });
const subScoreOf = (name: string, change: Partial<RecoveryInput>) =>
  recover(change)!.ingredients.find((ingredient) => ingredient.name === name)?.subScore;

test('is neutral on a usual morning and returns the baselines', () => {
  const { value, ingredients, baselines, figures } = recover({})!;
  expect(value).toBe(50);
  expect(ingredients.map(({ name, weight, contribution }) => [name, weight, contribution])).toEqual([
    ['hrv_today', 0.25, 0],
    ['hrv_trend', 0.15, 0],
    ['resting_heart_rate', 0.2, 0],
    ['sleep', 0.25, 0],
    ['load_balance', 0.15, 0],
    ['respiratory_rate', null, 0],
    ['body_temperature', null, 0],
  ]);
  expect(baselines).toEqual([
    {
      input: 'heart_rate_variability',
      transform: 'ln',
      centre: Math.log(60),
      sd: expect.any(Number),
      readings: 4,
    },
    { input: 'resting_heart_rate', transform: 'none', centre: 54, sd: expect.any(Number), readings: 4 },
  ]);
  expect(baselines.map(({ sd }) => sd.toFixed(4))).toEqual(['0.1764', '2.6458']);
  expect(figures).toEqual({
    acute_training_load: expect.closeTo(50, 9),
    chronic_training_load: expect.closeTo(50, 9),
    usual_respiratory_rate: 14,
    usual_body_temperature: 34.5,
  });
});

test('ignores less than half a deviation', () => {
  expect(subScoreOf('resting_heart_rate', { restingHeartRate: 55.3 })).toBe(50);
  expect(subScoreOf('resting_heart_rate', { restingHeartRate: 55.4 })).toBeLessThan(50);
});

test('rates variability best at two deviations above the baseline, and lower beyond', () => {
  const hrvAt = (deviations: number) => 60 * Math.exp(deviations * Math.sqrt((14 * 0.2 ** 2) / 18));
  const today = (deviations: number) => subScoreOf('hrv_today', { hrv: hrvAt(deviations) });
  expect(today(2)).toBeCloseTo(100 / (1 + Math.exp(-1.702 * 1.5)), 6);
  expect(today(3)).toBeCloseTo(100 / (1 + Math.exp(-1.702)), 6);
  expect(today(9)).toBe(50);
  expect(today(-9)).toBeLessThan(0.001);
});

test('uses the mean of a week with at least three readings as the trend', () => {
  const history = [60, 60, 60, 60, null, null, null, null, null, 40];
  expect(subScoreOf('hrv_trend', { hrvHistory: history })).toBeUndefined();
  expect(subScoreOf('hrv_trend', { hrvHistory: [...history, 40] })).toBeLessThan(20);
  expect(subScoreOf('hrv_trend', { hrvHistory: [40, 40, 60, 60, 60, 60, 60, 60, 60, 60] })).toBe(50);
});

test('requires four days of load', () => {
  expect(subScoreOf('load_balance', { loadHistory: [50, null, 50, 50] })).toBeUndefined();
  expect(subScoreOf('load_balance', { loadHistory: [50, null, 50, 50, 150] })).toBeCloseTo(38.592, 3);
});

test.each([
  [{ respiratoryRate: 15 }, 'respiratory_rate', 0],
  [{ respiratoryRate: 16 }, 'respiratory_rate', -6],
  [{ respiratoryRate: 21 }, 'respiratory_rate', -12],
  [{ bodyTemperature: 35 }, 'body_temperature', 0],
  [{ bodyTemperature: 35.5 }, 'body_temperature', -6],
  [{ bodyTemperature: 39 }, 'body_temperature', -12],
])('penalizes %o: %s contributes %d', (change, name, contribution) => {
  expect(recover(change)!.factors.find((factor) => factor.name === name)!.contribution).toBe(contribution);
});

test.each([
  [30, 0],
  [40, 0],
  [57.5, 25],
  [75, 50],
  [87.5, 75],
  [100, 100],
])('rates a sleep score of %d as %d', (sleepScore, subScore) => {
  expect(subScoreOf('sleep', { sleepScore })).toBe(subScore);
});

test('requires three earlier nights for a penalty', () => {
  const names = recover({ respiratoryRateHistory: [14, 14], bodyTemperature: null })!.factors.map(
    ({ name }) => name,
  );
  expect(names).not.toContain('respiratory_rate');
  expect(names).not.toContain('body_temperature');
});

test('gives no score without a baseline of heart data or with too little other data', () => {
  const noHeart = { hrvHistory: [60, 60], restingHeartRate: null };
  expect(recover(noHeart)).toBeNull();
  expect(recover({ restingHeartRate: null, sleepScore: null, loadHistory: [] })).toBeNull();
  expect(recover({ hrv: null, sleepScore: null })).toBeNull();
  expect(recover({ hrv: null, loadHistory: [] })).not.toBeNull();
  expect(recover({ hrv: 0, restingHeartRate: null })).toBeNull();
});

test('starts an exponential mean with the first week and gives old values little weight', () => {
  expect(exponentialMean([], 7)).toBeNull();
  expect(exponentialMean([null, 40], 7)).toBe(40);
  expect(exponentialMean([100, 0], 7)).toBe(46.875);
  // The mean of the first seven is 10. The eighth is not part of it.
  expect(exponentialMean([10, 10, 10, 10, 10, 10, 10, 50], 7)).toBe(20);
  const rested = Array.from({ length: 60 }, () => 0);
  expect(exponentialMean([1000, ...rested], 28)).toBe(0);
  expect(exponentialMean([...rested, 80], 7)).toBe(20);
});
