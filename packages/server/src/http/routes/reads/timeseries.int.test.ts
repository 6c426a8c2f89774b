import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDeviceDay, encodeDeviceDay, findMetric, parseDay, setPartial } from '@tributary/domain';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../../test/data/uploads.ts';

let app: TestApp;
const nowMs = Date.parse('2026-03-30T12:00:00Z');
const watch = { id: 'watch', kind: 'watch' };
const strap = { id: 'strap', kind: 'chest_strap' };

beforeAll(async () => {
  app = await startTestApp();
  await app.moveClock(nowMs - app.ctx.clock.now());
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (user: PhoneUser, query: string, headers: Record<string, string> = {}) =>
  app.request('GET', `/v1/users/${user.id}/timeseries?${query}`, { headers });
const march = (day: number) => `start_date=2026-03-${day}&end_date=2026-03-${day}`;
const saveSettings = (user: PhoneUser, settings: object) =>
  app.admin.query('UPDATE users SET consolidation = $2 WHERE id = $1', [user.uuid, settings]);

interface Sample {
  timestamp: string;
  metric: string;
  value: number;
}

describe('heart rate every five seconds over the night in which clocks go forward', () => {
  let ada: PhoneUser;
  const start = Date.parse('2026-03-28T22:00:00Z'); // an hour before midnight in Berlin
  const values = Array.from({ length: 18_000 }, (_, at) => 50 + (at % 97));
  const inDay = values
    .map((value, at) => ({ timestamp: new Date(start + at * 5000).toISOString(), value }))
    .filter(({ timestamp }) => timestamp >= '2026-03-28T23:00' && timestamp < '2026-03-29T22:00');

  beforeAll(async () => {
    ada = await createPhoneUser(app, { timezone: 'Europe/Berlin' });
    const series = [
      { metric: 'heart_rate', start: new Date(start).toISOString(), interval_seconds: 5, values },
    ];
    await ada.upload(watch, { series });
    await workThrough(app);
  });

  // @contract timeseries/fields: Samples keep the device's own interval, from one second to 15 minutes
  // @contract timeseries/fields: Days are in the user's time zone
  test('is returned completely, by time, for the 23 hours of the local day', async () => {
    const { status, body, headers } = await get(ada, `metrics=heart_rate&${march(29)}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(inDay).toHaveLength(23 * 720);
    expect(body).toEqual({ data: inDay.map((sample) => ({ ...sample, metric: 'heart_rate', unit: 'bpm' })) });
  });

  // @contract timeseries/fields: `resolution` aggregates samples by mean or by sum _(addition)_
  test('has the mean of each minute, at its start, with resolution=1m', async () => {
    const { body } = await get(ada, `metrics=heart_rate&${march(29)}&resolution=60s`);
    expect(body.data).toHaveLength(23 * 60);
    const mean = Math.round(inDay.slice(0, 12).reduce((sum, { value }) => sum + value, 0) / 12);
    expect(body.data[0]).toEqual({
      timestamp: '2026-03-28T23:00:00.000Z',
      metric: 'heart_rate',
      value: mean,
      unit: 'bpm',
    });
    expect((await get(ada, `metrics=heart_rate&${march(29)}&resolution=1m`)).body).toEqual(body);
  });

  // @contract timeseries/fields: `resolution` counts every sample once
  test('counts every sample once in buckets that align with neither chunks nor days', async () => {
    const { body } = await get(ada, `metrics=heart_rate&${march(29)}&resolution=7000s`);
    expect(body.data.map(({ timestamp }: Sample) => timestamp)).toEqual(
      Array.from({ length: 12 }, (_, at) =>
        new Date(Date.parse('2026-03-28T23:00:00Z') + at * 7_000_000).toISOString(),
      ),
    );
  });

  // @contract timeseries/fields: `include_sources=true` adds the same `source` as in daily
  test('has sources on request', async () => {
    const { body } = await get(ada, `metrics=heart_rate&${march(29)}&include_sources=true`);
    const device = (await app.request('GET', `/v1/users/${ada.id}/devices`)).body.data[0];
    expect(body.data[7]).toEqual({
      ...inDay[7],
      metric: 'heart_rate',
      unit: 'bpm',
      source: {
        provider: 'apple_health',
        device_id: device.id,
        original_value: inDay[7]!.value,
        original_unit: 'bpm',
      },
    });
  });

  // @contract all/caching: Timeseries: 304 for a matching tag
  test('returns 304 for a current tag', async () => {
    const first = await get(ada, `metrics=heart_rate&${march(29)}&resolution=60m`);
    const headers = { 'if-none-match': first.headers.get('etag')! };
    expect((await get(ada, `metrics=heart_rate&${march(29)}&resolution=60m`, headers)).status).toBe(304);
  });

  // @contract timeseries/fields: A day without samples is empty, not null
  test('returns an empty list for a day without samples', async () => {
    expect((await get(ada, `metrics=heart_rate,steps,stress_score&${march(12)}`)).body).toEqual({ data: [] });
  });
});

// @contract timeseries/fields: Samples are ordered by time, and at the same time in the order requested
// @contract timeseries/fields: Spaces around IDs are ignored, and a repeated ID is returned once
// @contract timeseries/fields: `resolution` aggregates samples by mean or by sum _(addition)_
test('orders several metrics by time, and at the same time in the requested order', async () => {
  const user = await createPhoneUser(app);
  await user.upload(watch, {
    series: [
      { metric: 'heart_rate', start: '2026-03-20T08:00:00Z', interval_seconds: 60, values: [60, 61, 62] },
      { metric: 'blood_oxygen', start: '2026-03-20T07:59:00Z', interval_seconds: 90, values: [97, 96.5] },
    ],
    records: [
      { metric: 'steps', start: '2026-03-20T08:01:00Z', end: '2026-03-20T08:02:00Z', value: 90 },
      { metric: 'steps', start: '2026-03-20T08:01:00.250Z', end: '2026-03-20T08:01:10Z', value: 9 },
    ],
  });
  await workThrough(app);
  const { body } = await get(user, `metrics=steps,%20heart_rate,blood_oxygen,steps&${march(20)}`);
  expect(
    body.data.map(({ timestamp, metric, value }: Sample) => [timestamp.slice(11), metric, value]),
  ).toEqual([
    ['07:59:00.000Z', 'blood_oxygen', 97],
    ['08:00:00.000Z', 'heart_rate', 60],
    ['08:00:30.000Z', 'blood_oxygen', 96.5],
    ['08:01:00.000Z', 'steps', 90],
    ['08:01:00.000Z', 'heart_rate', 61],
    ['08:01:00.250Z', 'steps', 9],
    ['08:02:00.000Z', 'heart_rate', 62],
  ]);
  const hourly = await get(user, `metrics=steps&${march(20)}&resolution=60m`);
  expect(hourly.body.data).toEqual([
    { timestamp: '2026-03-20T08:00:00.000Z', metric: 'steps', value: 99, unit: 'count' },
  ]);
});

describe('samples of several devices', () => {
  let user: PhoneUser;
  const steps = (start: string, values: number[]) => ({
    records: values.map((value, at) => ({
      metric: 'steps',
      start: `2026-03-20T${start}:${String(at * 10).padStart(2, '0')}:00Z`,
      end: `2026-03-20T${start}:${String(at * 10 + 10).padStart(2, '0')}:00Z`,
      value,
    })),
  });
  beforeAll(async () => {
    user = await createPhoneUser(app);
    await user.upload({ provider: 'health_connect', id: 'phone', kind: 'phone' }, steps('07', [100, 100]));
    await user.upload(watch, steps('12', [200, 200]));
    await user.upload({ provider: 'health_connect', id: 'phone', kind: 'phone' }, steps('18', [300]));
    await user.upload(watch, steps('18', [310]));
    await user.upload(strap, {
      series: [{ metric: 'heart_rate', start: '2026-03-20T08:00:00Z', values: [100] }],
    });
    await user.upload(watch, {
      series: [{ metric: 'heart_rate', start: '2026-03-20T09:00:00Z', values: [60] }],
    });
    await user.upload(watch, { daily: [{ metric: 'heart_rate', date: '2026-03-21', value: 61 }] });
    await user.upload(strap, {
      series: [{ metric: 'heart_rate', start: '2026-03-21T08:00:00Z', values: [101] }],
    });
    await workThrough(app);
  });

  const shown = async (query: string) =>
    (await get(user, query)).body.data.map(({ timestamp, value }: Sample) => [
      timestamp.slice(11, 16),
      value,
    ]);

  // @contract timeseries/fields: A day returns the samples of one device: the one behind the daily value
  test('come from the device that supplied the daily value', async () => {
    const daily = await app.request(
      'GET',
      `/v1/users/${user.id}/daily?types=steps&from_date=2026-03-20&to_date=2026-03-20`,
    );
    expect(daily.body.series.steps).toEqual([710]);
    expect(await shown(`metrics=steps&${march(20)}`)).toEqual([
      ['12:00', 200],
      ['12:10', 200],
      ['18:00', 310],
    ]);
  });

  // @contract timeseries/fields: A day returns the samples of the best-ranked device that has any, when the device behind the daily value has none
  test('come from the best-ranked device with samples when the supplier reported only a total', async () => {
    expect(await shown(`metrics=heart_rate&${march(21)}`)).toEqual([['08:00', 101]]);
  });

  // @contract timeseries/fields: A day under `merge` returns the merged intervals
  test('are the merged intervals under merge, each with its own device', async () => {
    await saveSettings(user, { metrics: { steps: { method: 'merge' } } });
    const { body } = await get(user, `metrics=steps&${march(20)}&include_sources=true`);
    expect(body.data.map(({ value }: Sample) => value)).toEqual([100, 100, 200, 200, 310]);
    const devices = new Set(
      body.data.map(({ source }: { source: { device_id: string } }) => source.device_id),
    );
    expect(devices.size).toBe(2);
    expect(body.data[0].source).toMatchObject({ original_value: null, original_unit: null });
    expect(await shown(`metrics=steps&${march(20)}&resolution=1440m`)).toEqual([['00:00', 910]]);
  });

  // @contract timeseries/fields: A day never returns the samples of an excluded provider
  test('never come from an excluded provider', async () => {
    await saveSettings(user, { providers: { apple_health: false, health_connect: false } });
    expect((await get(user, `metrics=steps,heart_rate&${march(20)}`)).body).toEqual({ data: [] });
    const off = { apple_health: false, health_connect: false } as const;
    await saveSettings(user, { metrics: { steps: { providers: off } } });
    expect(await shown(`metrics=steps,heart_rate&${march(20)}`)).not.toEqual([]);
    expect(await shown(`metrics=steps&${march(20)}`)).toEqual([]);
  });
});

// @contract timeseries/fields: At most 700,000 samples; the error names `resolution`
test('rejects more samples than a response may contain unless they are aggregated', async () => {
  const user = await createPhoneUser(app);
  await user.upload(watch, {
    series: [{ metric: 'heart_rate', start: '2026-03-20T08:00:00Z', values: [100] }],
  });
  await workThrough(app);
  const day = parseDay('2026-03-20')!;
  const content = emptyDeviceDay();
  const part = {
    count: 700_001,
    sum: 0,
    observedMs: 1,
    untilMs: 0,
    coveredMs: 1,
    weighted: 1,
    min: 60e6,
    max: 60e6,
    lastMs: day * 86_400_000,
    last: 0,
    unitCode: 0,
    readings: null,
  };
  setPartial(content, findMetric('heart_rate')!.no, day * 6 + 2, part);
  await app.admin.query('UPDATE device_days SET data = $2 WHERE user_id = $1', [
    user.uuid,
    encodeDeviceDay(content, day),
  ]);
  expect(await get(user, `metrics=heart_rate&${march(20)}`)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', details: { fields: [{ in: 'query', name: 'resolution' }] } },
  });
  expect((await get(user, `metrics=heart_rate&${march(20)}&resolution=1s`)).status).toBe(200);
});

const march20 = 'start_date=2026-03-20&end_date=2026-03-20';
test.each([
  // @contract timeseries/invalid: `metrics` missing
  [march20, 'metrics'],
  // @contract timeseries/invalid: `metrics` empty
  [`metrics=&${march20}`, 'metrics'],
  // @contract timeseries/invalid: `metrics` with a metric that has no samples
  [`metrics=weight&${march20}`, 'metrics'],
  // @contract timeseries/invalid: `metrics` with an unknown metric
  [`metrics=heart_rate,nonsense&${march20}`, 'metrics'],
  // @contract timeseries/invalid: `start_date` missing
  ['metrics=heart_rate', 'start_date'],
  // @contract timeseries/invalid: `end_date` missing
  ['metrics=heart_rate&start_date=2026-03-20', 'end_date'],
  // @contract timeseries/invalid: `start_date` after `end_date`
  ['metrics=heart_rate&start_date=2026-03-20&end_date=2026-03-19', 'start_date'],
  // @contract timeseries/fields: At most 31 days
  ['metrics=heart_rate&start_date=2026-03-20&end_date=2026-04-20', 'end_date'],
  // @contract timeseries/invalid: `start_date` that is not a date
  ['metrics=heart_rate&start_date=yesterday&end_date=2026-04-20', 'start_date'],
  // @contract timeseries/invalid: `resolution` of 0
  [`metrics=heart_rate&${march20}&resolution=0s`, 'resolution'],
  // @contract timeseries/invalid: `resolution` without a unit
  [`metrics=heart_rate&${march20}&resolution=60`, 'resolution'],
  // @contract timeseries/invalid: `resolution` without a number
  [`metrics=heart_rate&${march20}&resolution=s`, 'resolution'],
  // @contract timeseries/invalid: `resolution` in hours
  [`metrics=heart_rate&${march20}&resolution=1h`, 'resolution'],
  // @contract timeseries/invalid: `resolution` of more than a day, in seconds
  [`metrics=heart_rate&${march20}&resolution=86401s`, 'resolution'],
  // @contract timeseries/invalid: `resolution` of more than a day, in minutes
  [`metrics=heart_rate&${march20}&resolution=1441m`, 'resolution'],
  // @contract timeseries/invalid: `resolution` below 0
  [`metrics=heart_rate&${march20}&resolution=-5s`, 'resolution'],
  // @contract timeseries/invalid: `resolution` that is not an integer
  [`metrics=heart_rate&${march20}&resolution=1.5m`, 'resolution'],
  // @contract timeseries/invalid: `resolution` with a space
  [`metrics=heart_rate&${march20}&resolution=5 m`, 'resolution'],
  // @contract timeseries/invalid: `resolution` in uppercase
  [`metrics=heart_rate&${march20}&resolution=RAW`, 'resolution'],
  // @contract timeseries/invalid: Unknown `unit_system`
  [`metrics=heart_rate&${march20}&unit_system=`, 'unit_system'],
  // @contract timeseries/invalid: `include_sources` that is neither true nor false
  [`metrics=heart_rate&${march20}&include_sources=yes`, 'include_sources'],
  // @contract timeseries/invalid: `page`, which timeseries does not support
  [`metrics=heart_rate&${march20}&page=1`, 'page'],
])('returns 400 for %s and names %s', async (query, name) => {
  const user = await createPhoneUser(app);
  expect(await get(user, query)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', details: { fields: [{ in: 'query', name }] } },
  });
});

// @contract timeseries/fields: At most 31 days
test('accepts 31 days and returns 404 for another account’s user', async () => {
  const user = await createPhoneUser(app);
  const path = `/v1/users/${user.id}/timeseries?metrics=heart_rate&start_date=2026-03-01&end_date=2026-03-31`;
  expect((await app.request('GET', path)).status).toBe(200);
  const other = await app.createAccount();
  expect(await app.request('GET', path, { key: other.liveKey })).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  });
});
