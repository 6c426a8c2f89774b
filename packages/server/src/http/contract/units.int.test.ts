import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliver } from '../../test/data/deliver.ts';
import { createSdkUser, type SdkUser } from '../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

/** One metric of each dimension, in both systems and both forms. */
let app: TestApp;
let user: SdkUser;
const date = '2026-03-01';

const sent: [metric: string, value: number][] = [
  ['distance', 10],
  ['running', 5],
  ['cycling', 20],
  ['swimming', 1500],
  ['elevation_gain', 100],
  ['body_temperature', 36.6],
  ['sleep_skin_temperature', 34.25],
  ['weight', 80],
  ['lean_body_mass', 60],
  ['resting_heart_rate', 58],
  ['heart_rate_variability', 61.5],
  ['heart_rate_variability_rmssd', 45.5],
  ['active_calories', 512],
  ['exercise', 42],
  ['blood_oxygen', 97],
];
const metric: Record<string, [value: number, unit: string]> = {
  distance: [10, 'km'],
  running: [5, 'km'],
  cycling: [20, 'km'],
  swimming: [1500, 'm'],
  elevation_gain: [100, 'm'],
  body_temperature: [36.6, '°C'],
  sleep_skin_temperature: [34.25, '°C'],
  weight: [80, 'kg'],
  lean_body_mass: [60, 'kg'],
  resting_heart_rate: [58, 'bpm'],
  heart_rate_variability: [61.5, 'ms'],
  heart_rate_variability_rmssd: [45.5, 'ms'],
  active_calories: [512, 'kcal'],
  exercise: [42, 'min'],
  blood_oxygen: [97, '%'],
};
const imperial: typeof metric = {
  ...metric,
  distance: [6.21, 'mi'],
  running: [3.11, 'mi'],
  cycling: [12.43, 'mi'],
  swimming: [0.932, 'mi'],
  elevation_gain: [328, 'ft'],
  body_temperature: [97.9, '°F'],
  sleep_skin_temperature: [93.7, '°F'],
  weight: [176.4, 'lb'],
  lean_body_mass: [132.3, 'lb'],
};
const ids = sent.map(([id]) => id);

beforeAll(async () => {
  app = await startTestApp();
  user = await createSdkUser(app);
  await deliver(app, user, { daily: sent.map(([id, value]) => ({ metric: id, date, value })) });
});
afterAll(() => app[Symbol.asyncDispose]());

const read = async (query: string) => (await app.request('GET', `/v1/users/${user.id}/daily?${query}`)).body;

describe.each([
  ['without unit_system', '', metric],
  ['unit_system=metric', '&unit_system=metric', metric],
  ['unit_system=imperial', '&unit_system=imperial', imperial],
] as const)('%s', (_name, query, expected) => {
  // @contract all/units [without unit_system]: Values are metric by default: km, m for swimming, °C, kg, bpm, ms, kcal, min
  // @contract all/units [unit_system=metric]: `unit_system=metric` is the same as the default
  // @contract all/units [unit_system=imperial]: `unit_system=imperial` returns miles (for swimming too), °F and pounds, and feet for elevation
  test('returns each dimension in its unit in Form 1', async () => {
    const body = await read(`metrics=${ids.join()}&start_date=${date}&end_date=${date}${query}`);
    expect(body).toStrictEqual({
      data: ids.toSorted().map((id) => ({
        date,
        metric: id,
        value: expected[id]![0],
        unit: expected[id]![1],
      })),
    });
  });

  // @contract all/units [without unit_system]: Values are metric by default: km, m for swimming, °C, kg, bpm, ms, kcal, min
  // @contract all/units [unit_system=metric]: `unit_system=metric` is the same as the default
  // @contract all/units [unit_system=imperial]: `unit_system=imperial` returns miles (for swimming too), °F and pounds, and feet for elevation
  test('returns each dimension in its unit in Form 2', async () => {
    const body = await read(`types=${ids.join()}&from_date=${date}&to_date=${date}${query}`);
    expect(body).toStrictEqual({
      from_date: date,
      to_date: date,
      dates: [date],
      series: Object.fromEntries(ids.map((id) => [id, [expected[id]![0]]])),
      units: Object.fromEntries(ids.map((id) => [id, expected[id]![1]])),
    });
  });
});
