import { expect, test } from 'vitest';
import { epochNorms, scoreStress, stressOfEpoch, type StressEpoch, type StressInput } from './stress.ts';

const heartRate = { centre: 75, sd: 7.5, readings: 14 };
const lnHrv = { centre: Math.log(34), sd: 0.33, readings: 14 };
const epochBaseline = { heartRate, lnHrv };
const epochs = (count: number, epoch: StressEpoch) => Array.from({ length: count }, () => epoch);
const usual: StressInput = {
  epochs: epochs(36, { bpm: 75, hrv: 34 }),
  epochBaseline,
  hrv: 60,
  hrvHistory: [60, 60, 60],
  restingHeartRate: 54,
  restingHeartRateHistory: [54, 54, 54],
};
const stress = (change: Partial<StressInput>) => scoreStress({ ...usual, ...change });

test('is 30 at the baseline', () => {
  expect(stress({})!.value).toBe(30);
  expect(stress({ epochs: [] })!.value).toBe(30);
});

test.each([
  [{ bpm: 75, hrv: 34 }, 30],
  [{ bpm: 82.5, hrv: 34 }, 40.514],
  [{ bpm: 82.5, hrv: null }, 56.284],
  [{ bpm: 75, hrv: 34 * Math.exp(-0.33) }, 45.77],
  [{ bpm: 67.5, hrv: null }, 12.485],
])('rates an epoch of %o as %d', (epoch, value) => {
  expect(stressOfEpoch(epoch, epochBaseline)).toBeCloseTo(value, 2);
});

test('ignores variability without a baseline', () => {
  const epoch = { bpm: 82.5, hrv: 12 };
  const withoutHrv = { heartRate, lnHrv: null };
  expect(stressOfEpoch(epoch, withoutHrv)).toBe(stressOfEpoch({ ...epoch, hrv: null }, epochBaseline));
  const scored = stress({ epochs: epochs(40, epoch), epochBaseline: withoutHrv })!;
  expect(scored.factors.map(({ name }) => name)).toEqual(['baseline', 'heart_rate']);
  expect(scored.baselines).toEqual([{ input: 'heart_rate', transform: 'none', ...heartRate }]);
});

test('is the mean of its epochs, each by its available data', () => {
  const scored = stress({
    epochs: [...epochs(30, { bpm: 82.5, hrv: 34 }), ...epochs(10, { bpm: 82.5, hrv: null })],
  })!;
  const aroused = stressOfEpoch({ bpm: 82.5, hrv: null }, epochBaseline);
  expect(scored.value).toBe(44.5);
  expect(scored.ingredients).toEqual([
    {
      name: 'heart_rate_variability',
      weight: 0.6,
      share: 0.45,
      subScore: expect.closeTo(30, 9),
      contribution: expect.closeTo(0, 9),
    },
    {
      name: 'heart_rate',
      weight: 0.4,
      share: 0.55,
      subScore: expect.closeTo(aroused, 9),
      contribution: expect.closeTo(14.456, 3),
    },
  ]);
  expect(scored.figures).toEqual({ epochs: 40, epochs_with_variability: 30 });
  expect(scored.baselines).toEqual([
    { input: 'heart_rate_variability', transform: 'ln', ...lnHrv },
    { input: 'heart_rate', transform: 'none', ...heartRate },
  ]);
});

test('uses a wider spread for epochs than for nights', () => {
  expect(epochNorms).toEqual({
    heartRate: { priorSd: 8, floorSd: 4 },
    lnHrv: { priorSd: 0.35, floorSd: 0.15 },
  });
});

test('uses the night if there are fewer than 36 epochs or no baseline for them', () => {
  const namesOf = (change: Partial<StressInput>) => stress(change)!.ingredients.map(({ name }) => name);
  expect(namesOf({})).toEqual(['heart_rate_variability', 'heart_rate']);
  const night = ['heart_rate_variability', 'resting_heart_rate'];
  expect(namesOf({ epochs: usual.epochs.slice(1) })).toEqual(night);
  expect(namesOf({ epochBaseline: null })).toEqual(night);
});

test('requires only one reading of the night', () => {
  const byHeart = stress({ epochs: [], hrv: null, restingHeartRate: 57 })!;
  expect(byHeart.ingredients.map(({ name, share }) => [name, share])).toEqual([['resting_heart_rate', 1]]);
  expect(byHeart.baselines.map(({ input }) => input)).toEqual(['resting_heart_rate']);
  const byHrv = stress({ epochs: [], restingHeartRateHistory: [54, 54], hrv: 50 })!;
  expect(byHrv.ingredients.map(({ name, share }) => [name, share])).toEqual([['heart_rate_variability', 1]]);
  expect(byHrv.baselines.map(({ input }) => input)).toEqual(['heart_rate_variability']);
  expect(stress({ epochs: [], hrv: null, restingHeartRate: null })).toBeNull();
  expect(stress({ epochs: [], hrvHistory: [60, 60], restingHeartRateHistory: [54, 54] })).toBeNull();
});
