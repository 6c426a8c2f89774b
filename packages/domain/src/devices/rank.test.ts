import { expect, test } from 'vitest';
import { findMetric, metrics } from '../catalog/catalog.ts';
import { deviceKinds, type DeviceKind } from '@tributary/contract';
import { compareDevices, rankForSession, rankOf, type Ranked } from './rank.ts';
import { rankRowOf } from './rank-table.ts';

/** The table of default ranks: kinds in order, with a dash where a kind does not report the metric. */
const table = `
  sleepStages    10 30 20  -  5 40  -  -  -  - 60  - 90
  sleepVitals    10 30 20 25 35 40  -  -  -  -  -  -  -
  heartRate      30 10 15 20  - 50  -  - 25  - 60  - 90
  variability    10 30 20 15  - 40  -  -  5  - 60  - 90
  bloodOxygen    20 30 25  -  -  -  -  - 10  -  -  - 90
  bloodPressure   - 30  -  -  -  -  -  - 10  -  -  - 50
  temperature    40 50 45  -  -  -  -  - 10  -  -  - 60
  glucose         -  -  -  -  -  -  - 10 20  -  -  - 50
  workout         - 20 15  5  -  -  -  -  - 10 60  -  -
  movement       30 10 20  -  -  -  -  -  - 35 40  - 90
  cycling        40 20 30  -  -  -  -  -  -  5 50  - 90
  intensity      30 10 20  -  -  -  -  -  -  - 15  - 90
  energy         30 10 20 15  -  - 40  -  - 12 50  - 90
  body            - 30  -  -  -  - 10  -  -  -  - 40 20
  nutrition       -  -  -  -  -  - 50 60  -  - 40 10 20
  cycle          50 50 50  -  -  -  -  - 10  - 30  - 20`;

const examples: Record<string, string[]> = {
  sleepStages: ['asleep', 'REM', 'nap_time'],
  sleepVitals: ['sleep_heart_rate', 'sleep_wrist_temperature', 'snoring_time'],
  heartRate: ['heart_rate', 'resting_heart_rate'],
  variability: ['heart_rate_variability', 'heart_rate_variability_rmssd', 'respiratory_rate'],
  bloodOxygen: ['blood_oxygen', 'blood_oxygen_min'],
  bloodPressure: ['blood_pressure_systolic', 'blood_pressure_diastolic'],
  temperature: ['body_temperature', 'skin_temperature'],
  glucose: ['blood_glucose', 'glucose_time_in_range'],
  workout: ['heart_rate_avg', 'duration'],
  movement: ['steps', 'distance', 'floors_climbed', 'wheelchair_pushes'],
  cycling: ['cycling', 'cycling_power'],
  intensity: ['exercise', 'active_time', 'walking_speed'],
  energy: ['active_calories', 'resting_energy', 'total_energy'],
  body: ['weight', 'body_fat_percentage', 'height'],
  nutrition: ['protein', 'water', 'caffeine', 'vitamin_d'],
  cycle: ['cycle_day', 'menstrual_flow', 'pregnancy'],
};

test.each(
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/)),
)('%s', (row, ...columns) => {
  for (const id of examples[row]!) {
    columns.forEach((cell, index) => {
      const rank = rankOf(findMetric(id)!, { onDevice: true, kind: deviceKinds[index]! });
      expect(rank, `${id} ${deviceKinds[index]}`).toBe(cell === '-' ? 80 : Number(cell));
    });
  }
});

test('has a row for every metric that a device can report', () => {
  const without = metrics.filter((metric) => rankRowOf(metric) === null);
  expect(without.map((metric) => metric.id)).toEqual(
    metrics.filter((metric) => metric.origin === 'score').map((metric) => metric.id),
  );
});

// @contract all/sources: Data from a phone outranks data from every cloud provider
test('ranks unknown kinds last within the phone or cloud, and phones before all clouds', () => {
  const steps = findMetric('steps')!;
  expect(rankOf(steps, { onDevice: true, kind: 'other' })).toBe(95);
  expect(rankOf(steps, { onDevice: false, kind: 'other' })).toBe(1095);
  for (const metric of metrics) {
    const worstHere = Math.max(...deviceKinds.map((kind) => rankOf(metric, { onDevice: true, kind })));
    const bestThere = Math.min(...deviceKinds.map((kind) => rankOf(metric, { onDevice: false, kind })));
    expect(worstHere).toBeLessThan(bestThere);
  }
});

test('ranks sessions by sleep stages and by heart rate during workouts', () => {
  const best = (session: 'sleep' | 'workout'): DeviceKind =>
    deviceKinds.toSorted(
      (a, b) =>
        rankForSession(session, { onDevice: false, kind: a }) -
        rankForSession(session, { onDevice: false, kind: b }),
    )[0]!;
  expect(best('sleep')).toBe('headband');
  expect(best('workout')).toBe('chest_strap');
});

// @contract all/sources: Among devices with equal rank, the most recently connected one is used
test('breaks ties by the most recent connection, then by the smaller ID', () => {
  const device = (rank: number, connectedAtMs: number, stableId: string, provider = 'oura'): Ranked => ({
    rank,
    device: { connectedAtMs, stableId, provider },
  });
  const inOrder = [
    device(10, 1, 'z'),
    device(20, 9, 'z'),
    device(20, 5, 'B'),
    device(20, 5, 'a', 'fitbit'),
    device(20, 5, 'a', 'oura'),
    device(20, 5, 'b'),
  ];
  expect(inOrder.toReversed().sort(compareDevices)).toEqual(inOrder);
});
