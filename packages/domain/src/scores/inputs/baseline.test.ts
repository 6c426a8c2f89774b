import { expect, test } from 'vitest';
import { baselineOf, baselineOfEpochs, lnOf, recentReadings, spreads, usualOf } from './baseline.ts';

const spread = { priorSd: 3, floorSd: 1.5 };

test('uses mostly the published spread with few days', () => {
  const baseline = baselineOf([54, 55, 53, null, 56, 55], spread)!;
  expect(baseline).toMatchObject({ centre: 55, readings: 5 });
  expect(baseline.sd).toBeCloseTo(2.68515, 5);
});

test('requires three readings', () => {
  expect(baselineOf([54, null, 55], spread)).toBeNull();
  expect(baselineOf([54, null, 55, 56], spread)).toMatchObject({ centre: 55, readings: 3 });
  expect(baselineOf([], spread)).toBeNull();
});

test('uses the mean of the two middle readings for an even count', () => {
  expect(baselineOf([50, 56, 53, 54], spread)!.centre).toBe(53.5);
});

test('uses mostly its own spread with many days', () => {
  const swinging = Array.from({ length: 60 }, (_, day) => 60 + (day % 2 === 0 ? 10 : -10));
  expect(baselineOf(swinging, spread)!.sd).toBeCloseTo(Math.sqrt((60 * 14.826 ** 2 + 14 * 9) / 74), 9);
});

test('never has a spread below the floor', () => {
  const steady = Array.from({ length: 60 }, () => 52);
  expect(baselineOf(steady, spread)).toEqual({ centre: 52, sd: 1.5, readings: 60 });
});

test('counts only the last days, including those without a reading', () => {
  const history = [90, 90, 90, ...Array.from({ length: 56 }, () => null), 50, 51, 52];
  expect(baselineOf(history, spread)).toMatchObject({ centre: 51.5, readings: 4 });
  expect(baselineOf(history, { ...spread, windowDays: 3 })).toMatchObject({ centre: 51, readings: 3 });
  expect(baselineOf(history, { ...spread, windowDays: 2 })).toBeNull();
  expect([...recentReadings(history, 2)]).toEqual([51, 52]);
});

test('does not modify the history', () => {
  const history = [56, 50, 53];
  baselineOf(history, spread);
  expect(history).toEqual([56, 50, 53]);
});

test('weights epochs by their number of days', () => {
  const epochs = Float64Array.from([70, 74, 72, 80, 76, 90, 71, 73]);
  const baseline = baselineOfEpochs(epochs, 3, { priorSd: 8, floorSd: 4 })!;
  expect(baseline).toMatchObject({ centre: 73.5, readings: 3 });
  // Deviations are 0.5, 0.5, 1.5, 2.5, 2.5, 3.5, 6.5 and 16.5.
  expect(baseline.sd).toBeCloseTo(Math.sqrt((3 * (1.4826 * 2.5) ** 2 + 14 * 64) / 17), 9);
  expect(baselineOfEpochs([...epochs], 3, { priorSd: 8, floorSd: 4 })).toEqual(baseline);
  expect([...epochs]).toEqual([70, 74, 72, 80, 76, 90, 71, 73]);
  expect(baselineOfEpochs(epochs, 2, { priorSd: 8, floorSd: 4 })).toBeNull();
  expect(baselineOfEpochs([], 14, { priorSd: 8, floorSd: 4 })).toBeNull();
});

test('requires three readings for a median', () => {
  expect(usualOf([14, null, 15])).toBeNull();
  expect(usualOf([14, null, 15, 14.5])).toBe(14.5);
});

test('uses the published spread of nights', () => {
  expect(spreads).toEqual({
    lnHrv: { priorSd: 0.2, floorSd: 0.08 },
    restingHeartRate: { priorSd: 3, floorSd: 1.5 },
  });
});

test('takes the logarithm of variability', () => {
  expect([null, 0, 1, Math.E].map(lnOf)).toEqual([null, null, 0, 1]);
});
