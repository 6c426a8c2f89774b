import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { deliver, ring } from '../../test/data/deliver.ts';
import { createSdkUser, phone, watch, type SdkUser } from '../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

/** Data of several devices on one day is consolidated to one value per metric. */
let app: TestApp;
let user: SdkUser;
let deviceIds: Record<'watch' | 'ring' | 'phone', string>;

const date = '2026-03-01';
const marker = 'only-in-raw';
const night = { start: '2026-02-28T22:00:00Z', end: '2026-03-01T06:00:00Z' };

beforeAll(async () => {
  app = await startTestApp();
  user = await createSdkUser(app);
  const totals = (values: Record<string, number>) =>
    Object.entries(values).map(([metric, value]) => ({ metric, date, value }));
  await deliver(app, user, {
    device: { ...watch, name: marker, model: marker },
    daily: totals({ steps: 8420, resting_heart_rate: 58 }),
    records: [
      { metric: 'heart_rate', start: '2026-03-01T10:00:00Z', value: 71, id: marker, utc_offset: '+05:45' },
    ],
    sleep: [{ id: marker, ...night, minutes: { asleep: 400, deep: 70 } }],
  });
  await deliver(app, user, {
    device: ring,
    daily: totals({ steps: 7000, resting_heart_rate: 55 }),
    records: [{ metric: 'heart_rate', start: '2026-03-01T10:00:00Z', value: 64 }],
    sleep: [
      {
        id: 'ring-night',
        ...night,
        minutes: { asleep: 420, deep: 90, light: 230, rem: 100, awake: 30, in_bed: 450 },
        vitals: {
          sleep_heart_rate: 52,
          sleep_heart_rate_variability: 60.5,
          sleep_respiratory_rate: 14.5,
          sleep_blood_oxygen: 96.5,
          sleep_body_temperature: 36.5,
          sleep_skin_temperature: 34.25,
          sleep_wrist_temperature: 33.75,
        },
      },
    ],
  });
  await deliver(app, user, { device: phone, daily: totals({ steps: 5100, walking_speed: 4.8 }) });
  const { rows } = await app.admin.query(
    `SELECT d.kind, d.id FROM devices d WHERE d.user_id = $1 ORDER BY d.device_no`,
    [user.uuid],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['watch', 'ring', 'phone']);
  const { body } = await app.request('GET', `/v1/users/${user.id}/devices`);
  const ids = new Set(body.data.map(({ id }: { id: string }) => id));
  deviceIds = Object.fromEntries(rows.map(({ kind, id }) => [kind, formatId('dev', id)])) as typeof deviceIds;
  expect(new Set(Object.values(deviceIds))).toEqual(ids);
});
afterAll(() => app[Symbol.asyncDispose]());

const daily = (query: string) =>
  app.request('GET', `/v1/users/${user.id}/daily?from_date=${date}&to_date=${date}&${query}`);

describe('one value per metric and day', () => {
  // @contract all/sources: There is one value per metric, day and user, regardless of the number of devices
  // @contract all/sources: The source is chosen per metric, not per device
  // @contract all/sources: Rings rank first for sleep, wrist devices rank first for heart rate
  // @contract all/sources: `include_sources=true` names the device behind each value
  test('chooses the source per metric and names the device in sources', async () => {
    const types = 'steps,resting_heart_rate,heart_rate,asleep,deep_sleep,walking_speed';
    const source = (
      kind: keyof typeof deviceIds,
      original_value: number | null,
      original_unit: string,
      coverage: number | null = 1,
    ) => ({
      provider: kind === 'ring' ? 'health_connect' : 'apple_health',
      device_id: deviceIds[kind],
      original_value,
      original_unit,
      coverage,
    });
    expect((await daily(`types=${types}&include_sources=true`)).body).toStrictEqual({
      from_date: date,
      to_date: date,
      dates: [date],
      series: {
        steps: [8420],
        resting_heart_rate: [58],
        heart_rate: [71],
        asleep: [420],
        deep_sleep: [90],
        walking_speed: [4.8],
      },
      units: {
        steps: 'count',
        resting_heart_rate: 'bpm',
        heart_rate: 'bpm',
        asleep: 'min',
        deep_sleep: 'min',
        walking_speed: 'km/h',
      },
      sources: {
        steps: [source('watch', 8420, 'count')],
        resting_heart_rate: [source('watch', 58, 'bpm')],
        heart_rate: [source('watch', 71, 'bpm', 0.01)],
        asleep: [source('ring', 420, 'min', null)],
        deep_sleep: [source('ring', 90, 'min', null)],
        walking_speed: [source('phone', 4.8, 'km/h')],
      },
      contributors: {},
    });
  });

  // @contract all/sources: No reported value is lost
  test('keeps values of one device that another device overrides', async () => {
    const path = `/v1/users/${user.id}/daily/explain?date=${date}&metric=steps`;
    const { body } = await app.request('GET', path);
    const valuesByDevice = body.candidates.map((one: { device: { id: string }; value: number }) => [
      one.device.id,
      one.value,
    ]);
    expect(new Map(valuesByDevice)).toEqual(
      new Map([
        [deviceIds.watch, 8420],
        [deviceIds.ring, 7000],
        [deviceIds.phone, 5100],
      ]),
    );
  });

  // @contract daily-2/fields: Sleep totals and averages of sleep vitals are included
  test('returns sleep totals and averages of sleep vitals in daily', async () => {
    const { body } = await daily(
      'types=asleep,deep_sleep,light_sleep,REM,time_awake,time_in_bed,sleep_efficiency,sleep_heart_rate,' +
        'sleep_heart_rate_variability,sleep_respiratory_rate,sleep_blood_oxygen,sleep_body_temperature,' +
        'sleep_skin_temperature,sleep_wrist_temperature',
    );
    expect(body.series).toStrictEqual({
      asleep: [420],
      deep_sleep: [90],
      light_sleep: [230],
      REM: [100],
      time_awake: [30],
      time_in_bed: [450],
      sleep_efficiency: [93.3],
      sleep_heart_rate: [52],
      sleep_heart_rate_variability: [60.5],
      sleep_respiratory_rate: [14.5],
      sleep_blood_oxygen: [96.5],
      sleep_body_temperature: [36.5],
      sleep_skin_temperature: [34.25],
      sleep_wrist_temperature: [33.75],
    });
  });
});

// @contract all/sources: Uploads are never returned as received
// @contract sleep/fields: There is no timeline of sleep stages
test('never returns uploads as received', async () => {
  const { body: sleep } = await app.request(
    'GET',
    `/v1/users/${user.id}/sleep?from_date=${date}&to_date=${date}`,
  );
  for (const path of [
    'daily?include_sources=true',
    'daily?start_date=2026-03-01&end_date=2026-03-02&include_sources=true',
    'timeseries?metrics=heart_rate&start_date=2026-03-01&end_date=2026-03-01&include_sources=true',
    'sleep?start_date=2026-03-01&end_date=2026-03-01&include_sources=true',
    'sleep?from_date=2026-03-01&to_date=2026-03-01&include_sources=true',
    'devices',
    'consolidation',
  ]) {
    const response = await app.request('GET', `/v1/users/${user.id}/${path}`);
    expect(response.status).toBe(200);
    expect(JSON.stringify(response.body), path).not.toMatch(/only-in-raw|05:45/);
  }
  expect(sleep.data).toHaveLength(1);
  expect(sleep.data[0]).not.toHaveProperty('stages');
});
