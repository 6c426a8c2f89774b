import {
  decodeDeviceDay,
  decodeMonth,
  findMetric,
  fromMicros,
  originalOf,
  parseDay,
  placeInMonth,
  readingOfDay,
  roundTo,
} from '@tributary/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatId } from '../../../ids.ts';
import { unpack } from '../../../services/layers/packing.ts';
import { createSchemaCheck, listOperations, readOpenApiFile } from '../../../test/openapi-file.ts';
import { startTestApp, type TestResponse, type TestApp } from '../../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../../test/data/uploads.ts';

let app: TestApp;
const date = '2026-03-01';
const document = await readOpenApiFile();
const check = createSchemaCheck(document);
const describedAt = new Map(
  listOperations(document).map(({ operation, schemaOf }) => [operation.operationId, schemaOf('200')]),
);

beforeAll(async () => {
  app = await startTestApp();
  await app.moveClock(Date.parse('2026-03-02T12:00:00Z') - app.ctx.clock.now());
});
afterAll(() => app[Symbol.asyncDispose]());

/** Three providers of on-device data, and a second device of one of them. */
const watch = {
  provider: 'apple_health',
  id: 'watch',
  kind: 'watch',
  model: 'Watch7,5',
  name: "Ada's watch",
};
const phone = { provider: 'apple_health', id: 'phone', kind: 'phone' };
const ring = { provider: 'health_connect', id: 'ring', kind: 'ring' };
const band = { provider: 'samsung_health', id: 'band', kind: 'band' };

const newUser = (timezone = 'Europe/Berlin') => createPhoneUser(app, { timezone });
const totals = (values: Record<string, number>) => ({
  daily: Object.entries(values).map(([metric, value]) => ({ metric, date, value })),
});

/** Stores settings before any upload, so that values follow them. */
async function choose(user: PhoneUser, settings: object): Promise<void> {
  await app.admin.query('UPDATE users SET consolidation = $2 WHERE id = $1', [user.uuid, settings]);
}

function requestExplanation(
  user: PhoneUser,
  metric: string,
  day = date,
  options: object = {},
): Promise<TestResponse> {
  return app.request('GET', `/v1/users/${user.id}/daily/explain?metric=${metric}&date=${day}`, options);
}

/** The explanation, after checking that every number in it matches the tables and the daily read. */
async function explain(user: PhoneUser, metric: string, day = date) {
  const { status, body } = await requestExplanation(user, metric, day);
  expect(status).toBe(200);
  expect(check(describedAt.get('explainDaily')!, body)).toBeNull();
  await expectStored(user, body);
  if (!body.pending_rebuild) await expectAsDaily(user, body);
  return body;
}

async function expectAsDaily(user: PhoneUser, body: TestResponse['body']): Promise<void> {
  const { metric, date: day } = body;
  const query = `types=${metric}&from_date=${day}&to_date=${day}&include_sources=true&include_reasons=true`;
  const daily = (await app.request('GET', `/v1/users/${user.id}/daily?${query}`)).body;
  expect(body.value).toBe(daily.series[metric][0]);
  expect(body.unit).toBe(daily.units[metric]);
  const source = daily.sources[metric][0];
  if (source) {
    expect(body.winner).toEqual({ device_id: source.device_id, provider: source.provider });
    const own = body.candidates.find(
      ({ device }: { device: { id: string } }) => device.id === source.device_id,
    );
    expect(own).toMatchObject({
      original_value: source.original_value,
      original_unit: source.original_unit,
    });
    const contributors = daily.contributors[metric]?.[0] ?? [source];
    expect(body.contributors).toEqual(contributors.map((one: { device_id: string }) => one.device_id));
  }
  expect(body.missing_reason === null).toBe(daily.reasons[metric][0] === null);
}

async function expectStored(user: PhoneUser, body: TestResponse['body']): Promise<void> {
  const metric = findMetric(body.metric)!;
  const day = parseDay(body.date)!;
  const { month, index } = placeInMonth(day);
  const months = await app.admin.query(
    'SELECT printed, detail FROM canonical_months WHERE user_id = $1 AND metric_no = $2 AND month = $3',
    [user.uuid, metric.no, month],
  );
  const [row] = months.rows;
  const exact = row ? (decodeMonth(row.detail)[index] ?? null) : null;
  expect(body.exact_value).toBe(exact && fromMicros(exact.micros));
  expect(String(body.value)).toBe(row ? row.printed.split(',')[index] : 'null');
  const days = await app.admin.query(
    `SELECT d.id, c.data FROM device_days c JOIN devices d USING (user_id, device_no)
     WHERE user_id = $1 AND c.day = $2 AND d.removed_at IS NULL`,
    [user.uuid, body.date],
  );
  const storedReadings = days.rows.flatMap(({ id, data }) => {
    const reading = readingOfDay(decodeDeviceDay(unpack(data), day), metric.no);
    if (!reading) return [];
    const original = originalOf(metric, reading.micros, reading.unitCode);
    const value = roundTo(fromMicros(reading.micros), metric.precision);
    const exactValue = fromMicros(Math.round(reading.micros));
    return [[formatId('dev', id), value, exactValue, original.value, original.unit]];
  });
  const explained = body.candidates.map((one: TestResponse['body']) => [
    one.device.id,
    one.value,
    one.exact_value,
    one.original_value,
    one.original_unit,
  ]);
  expect(explained.toSorted()).toEqual(storedReadings.toSorted());
}

/** The outcome of each device, by its kind. */
function verdicts(body: TestResponse['body']): Record<string, unknown> {
  return Object.fromEntries(
    body.candidates.map((one: TestResponse['body']) => [one.device.kind, [one.outcome, one.reason]]),
  );
}

function candidate(body: TestResponse['body'], kind: string): TestResponse['body'] {
  return body.candidates.find((one: TestResponse['body']) => one.device.kind === kind);
}

describe('a watch, a phone of the same provider, a ring and a band', () => {
  async function createUserWithDevices(settings: object): Promise<PhoneUser> {
    const user = await newUser();
    await choose(user, settings);
    await user.upload(watch, totals({ steps: 8420 }));
    await user.upload(phone, totals({ steps: 7999 }));
    await user.upload(ring, totals({ steps: 8790 }));
    await user.upload(band, totals({ steps: 5100 }));
    await workThrough(app);
    return user;
  }

  // @contract explain-daily/fields: The explanation lists every device that had a value, with its rank, its value and why it was used or not
  test('max: the largest value', async () => {
    const user = await createUserWithDevices({ metrics: { steps: { method: 'max' } } });
    const body = await explain(user, 'steps');
    expect(body).toMatchObject({
      value: 8790,
      timezone: 'Europe/Berlin',
      method: { in_force: 'max', applied: 'max', default: 'priority', chosen_by: 'settings', key: 'steps' },
      summary: 'Steps on 2026-03-01: 8,790, the highest value of 4 devices, from the Health Connect ring.',
      missing_reason: null,
      derived_from: null,
      sessions: null,
      merged: null,
      pending_rebuild: false,
    });
    expect(body.winner.device_id).toBe(candidate(body, 'ring').device.id);
    expect(body.contributors).toEqual([body.winner.device_id]);
    expect(
      body.candidates.map((one: TestResponse['body']) => [one.device.kind, one.rank, one.position]),
    ).toEqual([
      ['watch', 10, 1],
      ['band', 20, 2],
      ['ring', 30, 3],
      ['phone', 40, 4],
    ]);
    expect(verdicts(body)).toEqual({
      ring: ['won', 'largest_value'],
      watch: ['lost', 'smaller_value'],
      band: ['lost', 'smaller_value'],
      phone: ['lost', 'smaller_value'],
    });
    expect(candidate(body, 'ring').because).toBe('Used: 8,790 is the highest value of 4 devices.');
    expect(candidate(body, 'watch').because).toBe(
      'Not used: 8,420 is less than 8,790 from the Health Connect ring.',
    );
    expect(candidate(body, 'phone').because).toBe(
      'Not used: 7,999 is less than 8,790 from the Health Connect ring.',
    );
    expect(candidate(body, 'watch').device).toMatchObject({ model: 'Watch7,5', name: "Ada's watch" });
    const { rows } = await app.admin.query('SELECT data_version::int AS version FROM users WHERE id = $1', [
      user.uuid,
    ]);
    expect(body.provenance).toEqual({ answered_from: 'canonical layer', data_version: rows[0].version });
  });

  // @contract explain-daily/fields: The explanation lists every device that had a value, with its rank, its value and why it was used or not
  test('default: the best rank, and why the others rank lower', async () => {
    const body = await explain(await createUserWithDevices({}), 'steps');
    expect(body).toMatchObject({
      value: 8420,
      method: { in_force: 'priority', default: 'priority', chosen_by: 'catalog' },
    });
    expect(body.method.why).toMatch(/^The default method for steps is priority\./);
    expect(verdicts(body)).toEqual({
      watch: ['won', 'largest_value'],
      band: ['lost', 'lower_rank'],
      ring: ['lost', 'lower_rank'],
      phone: ['lost', 'smaller_value'],
    });
    expect(body.summary).toBe(
      'Steps on 2026-03-01: 8,420, from the Apple Health watch, which ranks highest of 4 devices with a value.',
    );
  });

  // @contract explain-daily/fields: `avg` and `sum`: every provider contributes
  test.each([
    ['avg', 7437, 'averaged', 'the average of the values from'],
    ['sum', 22_310, 'added', 'the sum of the values from'],
  ])('%s: every provider contributes', async (method, value, reason, words) => {
    const body = await explain(await createUserWithDevices({ metrics: { steps: { method } } }), 'steps');
    expect(body.value).toBe(value);
    expect(body.exact_value).toBeCloseTo(method === 'avg' ? 22_310 / 3 : 22_310, 5);
    expect(verdicts(body)).toEqual({
      watch: ['contributed', 'largest_value'],
      band: ['contributed', reason],
      ring: ['contributed', reason],
      phone: ['lost', 'smaller_value'],
    });
    expect(body.contributors).toHaveLength(3);
    expect(body.summary).toContain(
      `${words} the Apple Health watch, the Samsung Health band and the Health Connect ring.`,
    );
  });

  test('merge without samples: the largest total', async () => {
    const body = await explain(
      await createUserWithDevices({ metrics: { steps: { method: 'merge' } } }),
      'steps',
    );
    expect(body).toMatchObject({
      value: 8790,
      method: { in_force: 'merge', applied: 'merge' },
      merged: null,
    });
    expect(verdicts(body)).toMatchObject({ ring: ['won', 'largest_value'] });
  });

  // @contract explain-daily/fields: The explanation lists providers that are disabled for all metrics or for this metric
  test('a provider that is disabled for all metrics or for this metric', async () => {
    const everywhere = await explain(
      await createUserWithDevices({ providers: { health_connect: false } }),
      'steps',
    );
    expect(everywhere.value).toBe(8420);
    expect(candidate(everywhere, 'ring')).toMatchObject({
      enabled: false,
      disabled_by: 'provider_everywhere',
      position: null,
      outcome: 'lost',
      reason: 'excluded',
      because: "Not used: this user's settings exclude health_connect everywhere.",
    });
    expect(everywhere.candidates.at(-1).device.kind).toBe('ring');
    expect(everywhere.summary).toMatch(/ This user's settings exclude 1 device that reported a value\.$/);
    const here = await explain(
      await createUserWithDevices({ metrics: { steps: { providers: { health_connect: false } } } }),
      'steps',
    );
    expect(candidate(here, 'ring')).toMatchObject({ disabled_by: 'provider_for_metric' });
  });

  // @contract explain-daily/fields: A missing value has a reason
  test('all providers disabled: no value, with a reason', async () => {
    const off = { apple_health: false, health_connect: false, samsung_health: false };
    const body = await explain(await createUserWithDevices({ providers: off }), 'steps');
    expect(body).toMatchObject({
      value: null,
      exact_value: null,
      winner: null,
      contributors: [],
      missing_reason: 'excluded',
    });
    expect(body.candidates).toHaveLength(4);
    expect(body.summary).toBe(
      "No value for steps on 2026-03-01: 4 devices have a value, but this user's settings exclude the provider of each.",
    );
  });

  // @contract explain-daily/fields: The explanation reports a pending recompute
  test('reports a pending recompute: the value predates the change, the reasons include it', async () => {
    const user = await createUserWithDevices({});
    await choose(user, { metrics: { steps: { method: 'sum' } } });
    const body = await explain(user, 'steps');
    expect(body).toMatchObject({ value: 8420, pending_rebuild: true, method: { in_force: 'sum' } });
    expect(verdicts(body)).toMatchObject({ ring: ['contributed', 'added'] });
    expect(body.summary).toContain('Recalculating. The result predates the latest change.');
  });
});

test('equal ranks: the later connection wins, then the order of IDs', async () => {
  const user = await newUser();
  const at = (created_at: string) => ({
    ...totals({ resting_heart_rate: 60 }),
    created_at,
  });
  await user.upload({ ...watch, id: 'a' }, at('2026-02-01T00:00:00Z'));
  await user.upload({ ...watch, id: 'b' }, at('2026-02-02T00:00:00Z'));
  await user.upload({ ...watch, id: 'c' }, at('2026-02-02T00:00:00Z'));
  await workThrough(app);
  const body = await explain(user, 'resting_heart_rate');
  expect(body.candidates.map((one: TestResponse['body']) => [one.outcome, one.reason])).toEqual([
    ['won', 'best_rank'],
    ['lost', 'other_id'],
    ['lost', 'connected_earlier'],
  ]);
  expect(body.candidates[2].because).toContain(body.winner.device_id);
  expect(body.candidates[2].because).toContain('2026-02-01T00:00:0');
});

// @contract explain-daily/fields: `merge`: the explanation states which device contributed which part of the day
test('merge: the union over time, contributions, covered devices and devices without samples', async () => {
  const user = await newUser();
  await choose(user, { metrics: { steps: { method: 'merge' } } });
  const steps = (start: string, end: string, value: number) => ({ metric: 'steps', start, end, value });
  const watchBatch = await user.upload(watch, {
    daily: [{ metric: 'steps', date, value: 999 }],
    records: [
      steps('2026-03-01T08:00:00Z', '2026-03-01T09:00:00Z', 1000),
      steps('2026-03-01T12:00:00Z', '2026-03-01T13:00:00Z', 500),
    ],
  });
  await user.upload(ring, { records: [steps('2026-03-01T08:30:00Z', '2026-03-01T09:30:00Z', 600)] });
  await user.upload(phone, { records: [steps('2026-03-01T12:10:00Z', '2026-03-01T12:20:00Z', 50)] });
  await user.upload(band, totals({ steps: 1400 }));
  await workThrough(app);
  const body = await explain(user, 'steps');
  expect(body).toMatchObject({
    value: 1800,
    method: { in_force: 'merge', applied: 'merge' },
    merged_truncated: false,
  });
  const [watchId, ringId] = ['watch', 'ring'].map((kind) => candidate(body, kind).device.id);
  expect(body.contributors).toEqual([watchId, ringId]);
  expect(body.merged).toEqual([
    { start: '2026-03-01T08:00:00.000Z', end: '2026-03-01T09:00:00.000Z', value: 1000, device_id: watchId },
    { start: '2026-03-01T09:00:00.000Z', end: '2026-03-01T09:30:00.000Z', value: 300, device_id: ringId },
    { start: '2026-03-01T12:00:00.000Z', end: '2026-03-01T13:00:00.000Z', value: 500, device_id: watchId },
  ]);
  expect(verdicts(body)).toEqual({
    watch: ['contributed', 'merged'],
    ring: ['contributed', 'merged'],
    phone: ['lost', 'covered'],
    band: ['lost', 'no_samples'],
  });
  expect(candidate(body, 'ring').because).toBe(
    'Used: it contributes 300 from 1 interval that no higher-ranked device covers.',
  );
  expect(candidate(body, 'phone').because).toContain('the Apple Health watch');
  // Its own total equals the watch's; the union still uses its samples.
  expect(candidate(body, 'watch')).toMatchObject({
    value: 999,
    made_of: 'reported_total',
    samples: { count: 2 },
    batches: [{ batch_id: watchBatch, readings: 3 }],
  });
});

test('reports that a merged day has more intervals than are listed', async () => {
  const user = await newUser();
  await choose(user, { metrics: { steps: { method: 'merge' } } });
  const values = Array.from({ length: 600 }, () => 1);
  await user.upload(watch, {
    series: [{ metric: 'steps', start: '2026-03-01T08:00:00Z', interval_seconds: 60, values }],
  });
  await workThrough(app);
  const body = await explain(user, 'steps');
  expect(body).toMatchObject({ value: 600, merged_truncated: true });
  expect(body.merged).toHaveLength(500);
});

// @contract explain-daily/fields: Values are returned before and after conversion
test('converts values from their original units to catalog units', async () => {
  const user = await newUser();
  await user.upload(watch, {
    daily: [{ metric: 'active_calories', date, value: 2510.4, unit: 'kJ' }],
    records: [{ metric: 'weight', start: '2026-03-01T06:00:00Z', value: 180.5, unit: 'lb' }],
  });
  await workThrough(app);
  expect((await explain(user, 'active_calories')).candidates[0]).toMatchObject({
    value: 600,
    unit: 'kcal',
    original_value: 2510.4,
    original_unit: 'kJ',
    outcome: 'won',
    reason: 'only_value',
  });
  const weight = await explain(user, 'weight');
  expect(weight).toMatchObject({ value: 81.87, unit: 'kg' });
  expect(weight.candidates[0]).toMatchObject({ original_value: 180.5, original_unit: 'lb' });
  expect(weight.exact_value).not.toBe(weight.value);
});

describe('the evidence of a value', () => {
  // @contract explain-daily/fields: The explanation lists the batches behind a value and when they arrived
  test('names the later batch of a corrected total, and when it was created and arrived', async () => {
    const user = await newUser();
    const at = (created_at: string, steps: number) => ({
      ...totals({ steps }),
      created_at,
      sent_at: '2026-03-02T12:00:00Z',
    });
    const later = await user.upload(watch, at('2026-03-02T11:00:00Z', 8500));
    await user.upload(watch, at('2026-03-02T10:00:00Z', 8420));
    await workThrough(app);
    const [only, ...others] = (await explain(user, 'steps')).candidates;
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      value: 8500,
      made_of: 'reported_total',
      samples: null,
      batches_truncated: false,
    });
    const { rows } = await app.admin.query(
      'SELECT created_at, received_at FROM raw_batches WHERE batch_id = $1',
      [later],
    );
    expect(only.batches).toEqual([
      {
        batch_id: later,
        created_at: rows[0].created_at.toISOString(),
        received_at: rows[0].received_at.toISOString(),
        readings: 1,
      },
    ]);
  });

  // @contract explain-daily/fields: The explanation lists the batches behind a value and when they arrived
  test('summarizes samples: count, first and last, and the current readings of each batch', async () => {
    const user = await newUser();
    const series = (start: string, values: number[]) => ({
      series: [{ metric: 'heart_rate', start, interval_seconds: 60, values }],
      sent_at: '2026-03-02T12:00:00Z',
    });
    const first = await user.upload(watch, {
      ...series('2026-02-28T22:58:00Z', [60, 61, 62, 63, 64, 65]),
      created_at: '2026-03-01T10:00:00Z',
    });
    const second = await user.upload(watch, {
      ...series('2026-02-28T23:02:00Z', [70, 71, 72]),
      created_at: '2026-03-01T11:00:00Z',
    });
    await workThrough(app);
    const body = await explain(user, 'heart_rate');
    // The day starts at 23:00 UTC in Berlin: two readings of the first batch belong to the previous day, two were replaced.
    expect(body.candidates[0]).toMatchObject({
      made_of: 'samples',
      samples: { count: 5, first_at: '2026-02-28T23:00:00.000Z', last_at: '2026-02-28T23:04:00.000Z' },
      batches: [
        { batch_id: second, readings: 3 },
        { batch_id: first, readings: 2 },
      ],
    });
    // The maximum comes from the same samples.
    expect((await explain(user, 'heart_rate_max')).candidates[0]).toMatchObject({
      value: 72,
      made_of: 'samples',
      samples: { count: 5 },
      batches: [{ batch_id: second }, { batch_id: first }],
    });
  });

  test('prefers a total to samples', async () => {
    const user = await newUser();
    const total = await user.upload(watch, totals({ steps: 9000 }));
    await user.upload(watch, { records: [{ metric: 'steps', start: '2026-03-01T08:00:00Z', value: 100 }] });
    await workThrough(app);
    expect((await explain(user, 'steps')).candidates).toMatchObject([
      { value: 9000, made_of: 'reported_total', samples: null, batches: [{ batch_id: total }] },
    ]);
  });

  test('lists the latest of more than fifty batches', async () => {
    const user = await newUser();
    for (let at = 0; at < 51; at += 1) {
      const start = new Date(Date.parse('2026-03-01T08:00:00Z') + at * 60_000).toISOString();
      await user.upload(watch, { records: [{ metric: 'steps', start, value: 1 }] });
    }
    await workThrough(app);
    const [only] = (await explain(user, 'steps')).candidates;
    expect(only).toMatchObject({ value: 51, batches_truncated: true, samples: { count: 51 } });
    expect(only.batches).toHaveLength(50);
  });

  test('has no arrival time for a batch past its retention', async () => {
    const user = await newUser();
    const batch_id = await user.upload(watch, totals({ steps: 1 }));
    await workThrough(app);
    await app.admin.query('DELETE FROM raw_batches WHERE batch_id = $1', [batch_id]);
    const [only] = (await explain(user, 'steps')).candidates;
    expect(only.batches).toMatchObject([{ batch_id, received_at: null }]);
  });

  test('limits a day of 23 hours to its local midnights', async () => {
    const user = await newUser();
    const values = Array.from({ length: 26 }, () => 10);
    await user.upload(watch, {
      series: [{ metric: 'steps', start: '2025-03-29T22:00:00Z', interval_seconds: 3600, values }],
    });
    await workThrough(app);
    const body = await explain(user, 'steps', '2025-03-30');
    expect(body.value).toBe(230);
    expect(body.candidates[0].samples).toEqual({
      count: 23,
      first_at: '2025-03-29T23:00:00.000Z',
      last_at: '2025-03-30T21:00:00.000Z',
    });
  });

  test('reports a time zone change that is not yet applied', async () => {
    const user = await newUser();
    const values = Array.from({ length: 48 }, () => 10);
    await user.upload(watch, {
      series: [{ metric: 'steps', start: '2026-02-28T12:00:00Z', interval_seconds: 3600, values }],
    });
    await workThrough(app);
    expect((await explain(user, 'steps')).pending_rebuild).toBe(false);
    await app.admin.query(`UPDATE users SET timezone = 'Pacific/Apia' WHERE id = $1`, [user.uuid]);
    expect((await explain(user, 'steps', '2026-02-28')).pending_rebuild).toBe(true);
  });
});

describe('derived values', () => {
  // @contract explain-daily/fields: A derived value names the values it is derived from
  test('name the values they are derived from', async () => {
    const user = await newUser();
    await user.upload(
      watch,
      totals({ active_calories: 600, resting_energy: 1500, total_energy: 2500, dietary_energy: 2000 }),
    );
    await workThrough(app);
    const body = await explain(user, 'total_energy');
    expect(body).toMatchObject({
      value: 2100,
      method: null,
      winner: null,
      contributors: [],
      pending_rebuild: false,
    });
    expect(body.derived_from).toEqual([
      { metric: 'active_calories', value: 600, unit: 'kcal' },
      { metric: 'resting_energy', value: 1500, unit: 'kcal' },
    ]);
    expect(verdicts(body)).toEqual({ watch: ['lost', 'not_used_by_method'] });
    expect(body.summary).toBe(
      'Total energy on 2026-03-01: 2,100 kcal, computed as active calories + resting energy.',
    );
    const balance = await explain(user, 'energy_balance');
    expect(balance).toMatchObject({ value: -100, candidates: [] });
    expect(balance.derived_from.map(({ value }: { value: number }) => value)).toEqual([2000, 2100]);
  });

  test('use a device’s own total when a part is missing', async () => {
    const user = await newUser();
    await user.upload(watch, totals({ active_calories: 600, total_energy: 2500 }));
    await workThrough(app);
    const body = await explain(user, 'total_energy');
    expect(body).toMatchObject({ value: 2500, pending_rebuild: false });
    expect(body.derived_from[1]).toEqual({ metric: 'resting_energy', value: null, unit: 'kcal' });
    expect(verdicts(body)).toEqual({ watch: ['won', 'only_value'] });
    expect(body.winner.provider).toBe('apple_health');
    expect(body.summary).toContain(
      'the total from the Apple Health watch, because part of active calories + resting energy is missing',
    );
  });

  test('report a pending recompute of their inputs', async () => {
    const user = await newUser();
    await user.upload(watch, totals({ active_calories: 600, resting_energy: 1500 }));
    await user.upload(ring, totals({ active_calories: 900 }));
    await workThrough(app);
    await choose(user, { metrics: { active_calories: { method: 'sum' } } });
    expect(await explain(user, 'total_energy')).toMatchObject({ value: 2100, pending_rebuild: true });
  });

  test('state the reason when nothing supplies them', async () => {
    const body = await explain(await newUser(), 'sleep_debt');
    expect(body).toMatchObject({ value: null, method: null, candidates: [] });
    expect(body.summary).toContain(
      'computed as the sum of what the nights of the last 14 days lack of the sleep need, and not all inputs are available',
    );
  });
});

test.each([
  // @contract explain-daily/fields: A missing value has a reason
  ['no device', false, 'no_device', 'no device is connected'],
  ['a device that reported none', true, 'not_reported', 'no device reported it'],
])('states why there is no value: %s', async (_what, hasDevice, reason, words) => {
  const user = await newUser();
  if (hasDevice) await user.upload(watch, totals({ resting_heart_rate: 54 }));
  await workThrough(app);
  const body = await explain(user, 'steps');
  expect(body).toMatchObject({ value: null, winner: null, candidates: [], missing_reason: reason });
  expect(body.summary).toContain(words);
});

describe('sessions', () => {
  const night = (id: string, start: string, end: string, more: object = {}) => ({ id, start, end, ...more });

  async function sleepers(settings: object = {}): Promise<PhoneUser> {
    const user = await newUser();
    await choose(user, settings);
    await user.upload(ring, {
      sleep: [
        night('ring-night', '2026-02-28T22:00:00Z', '2026-03-01T05:30:00Z', {
          minutes: { asleep: 420, deep: 80 },
        }),
        night('ring-earlier', '2026-02-27T22:00:00Z', '2026-02-28T05:30:00Z', { minutes: { asleep: 400 } }),
        night('ring-nap', '2026-03-01T12:00:00Z', '2026-03-01T12:40:00Z', { minutes: { asleep: 35 } }),
      ],
    });
    await user.upload(watch, {
      sleep: [
        night('watch-night', '2026-02-28T21:30:00Z', '2026-03-01T05:00:00Z', {
          minutes: { asleep: 440, deep: 60 },
        }),
      ],
    });
    await workThrough(app);
    return user;
  }

  async function sleepOf(user: PhoneUser): Promise<{ id: string; is_main_sleep: boolean }[]> {
    const { body } = await app.request('GET', `/v1/users/${user.id}/sleep?from_date=${date}&to_date=${date}`);
    return body.data;
  }

  async function explainSleep(user: PhoneUser, id: string) {
    const { status, body } = await app.request('GET', `/v1/users/${user.id}/sleep/${id}/explain`);
    expect(status).toBe(200);
    expect(check(describedAt.get('explainSleep')!, body)).toBeNull();
    return body;
  }

  // @contract explain-sleep/fields: The explanation lists the devices that reported the night, which one is used, and why
  test('a night of ring and watch: the ring is used, the watch is not', async () => {
    const user = await sleepers();
    const [nap, main] = await sleepOf(user);
    const body = await explainSleep(user, main!.id);
    expect(body).toMatchObject({
      id: main!.id,
      kind: 'sleep',
      date,
      start: '2026-02-28T22:00:00.000Z',
      end: '2026-03-01T05:30:00.000Z',
      kept: { device: { kind: 'ring' }, rank: 10, source_id: 'ring-night' },
      is_main_sleep: true,
      main_because:
        'Main sleep: the longest of 2 sessions that end on this day, with 420 minutes asleep. The minimum is 60 minutes.',
      merged: [
        {
          device: { kind: 'watch' },
          rank: 30,
          source_id: 'watch-night',
          overlap_minutes: 420,
          outcome: 'merged',
          reason: 'lower_rank',
          because: 'Not used: the Health Connect ring ranks higher. Rings outrank watches for sleep.',
        },
      ],
      excluded: [],
      pending_rebuild: false,
      summary:
        'From the Health Connect ring. One overlapping session from another device was merged into it.',
    });
    const { rows } = await app.admin.query(
      'SELECT batch_id, received_at FROM raw_batches WHERE batch_id = $1',
      [body.kept.batch_id],
    );
    expect(body.kept.received_at).toBe(rows[0].received_at.toISOString());
    const ofNap = await explainSleep(user, nap!.id);
    expect(ofNap).toMatchObject({
      is_main_sleep: false,
      merged: [],
      summary: 'From the Health Connect ring only.',
    });
    expect(ofNap.main_because).toBe(
      'Not the main sleep: it is a nap, shorter than 3 hours and between 9:00 and 21:00.',
    );
  });

  // @contract explain-sleep/fields: The explanation includes the settings for sleep stages
  test.each([
    ['for sleep', { metrics: { sleep_stages: { providers: { health_connect: false } } } }],
    ['everywhere', { providers: { health_connect: false } }],
  ])('a ring that is disabled %s: the watch’s night is used', async (where, settings) => {
    const user = await sleepers(settings);
    const [main] = await sleepOf(user);
    const body = await explainSleep(user, main!.id);
    expect(body).toMatchObject({
      kept: { source_id: 'watch-night' },
      merged: [],
      excluded: [
        {
          source_id: 'ring-night',
          outcome: 'excluded',
          reason: 'excluded',
          because: `Not used: this user's settings exclude health_connect ${where}.`,
        },
      ],
      pending_rebuild: false,
    });
    expect(body.summary).toContain("This user's settings exclude 1 overlapping session.");
  });

  test('includes sessions that start before the used one', async () => {
    const user = await sleepers({ providers: { apple_health: false } });
    const [, main] = await sleepOf(user);
    const { excluded } = await explainSleep(user, main!.id);
    expect(excluded).toMatchObject([{ source_id: 'watch-night', overlap_minutes: 420 }]);
  });

  test('includes sessions that overlap only through a third', async () => {
    const user = await newUser();
    await user.upload(ring, { sleep: [night('r', '2026-02-28T22:00:00Z', '2026-03-01T02:00:00Z')] });
    await user.upload(watch, { sleep: [night('w', '2026-03-01T01:30:00Z', '2026-03-01T05:00:00Z')] });
    await user.upload(band, { sleep: [night('b', '2026-03-01T04:30:00Z', '2026-03-01T06:00:00Z')] });
    await workThrough(app);
    const [only] = await sleepOf(user);
    expect((await explainSleep(user, only!.id)).merged).toMatchObject([
      { source_id: 'w', overlap_minutes: 30 },
      { source_id: 'b', overlap_minutes: 0, reason: 'lower_rank' },
    ]);
  });

  test('reports that a recently disabled provider is still used', async () => {
    const user = await sleepers();
    const [, main] = await sleepOf(user);
    await choose(user, { providers: { health_connect: false } });
    expect(await explainSleep(user, main!.id)).toMatchObject({
      kept: { source_id: 'ring-night' },
      pending_rebuild: true,
    });
    expect(await explain(user, 'bedtime')).toMatchObject({ pending_rebuild: true });
    await choose(user, { providers: { apple_health: false } });
    expect(await explainSleep(user, main!.id)).toMatchObject({
      kept: { source_id: 'ring-night' },
      merged: [],
      excluded: [{ source_id: 'watch-night' }],
      pending_rebuild: true,
    });
  });

  test('daily sleep values name the sessions of each device, and clock values name the used sessions', async () => {
    const user = await sleepers();
    const [nap, main] = await sleepOf(user);
    const deep = await explain(user, 'deep_sleep');
    expect(deep).toMatchObject({ value: 80, method: { in_force: 'priority', key: 'sleep_stages' } });
    expect(candidate(deep, 'ring')).toMatchObject({
      made_of: 'sessions',
      samples: null,
      sessions: [
        { id: main!.id, source_id: 'ring-night' },
        { id: nap!.id, source_id: 'ring-nap' },
      ],
      batches: [{ readings: 2 }],
      outcome: 'won',
    });
    expect(candidate(deep, 'watch')).toMatchObject({
      value: 60,
      sessions: [{ id: null, source_id: 'watch-night' }],
      reason: 'other_sessions',
    });
    const bedtime = await explain(user, 'bedtime');
    expect(bedtime).toMatchObject({ value: -60, method: null, derived_from: null, candidates: [] });
    expect(bedtime.sessions).toEqual([
      {
        id: main!.id,
        kind: 'sleep',
        start: '2026-02-28T22:00:00.000Z',
        end: '2026-03-01T05:30:00.000Z',
        is_main_sleep: true,
      },
      {
        id: nap!.id,
        kind: 'sleep',
        start: '2026-03-01T12:00:00.000Z',
        end: '2026-03-01T12:40:00.000Z',
        is_main_sleep: false,
      },
    ]);
    expect(bedtime.summary).toBe(
      'Bedtime on 2026-03-01: -60 min, computed as the start of the main sleep, in minutes from midnight.',
    );
  });

  const run = (id: string, start: string, end: string, more: object = {}) => ({
    id,
    sport_type: 'running',
    start,
    end,
    ...more,
  });

  // @contract explain-workout/fields: The explanation lists the devices that reported the workout, which one is used, and why; settings do not affect it
  test('a run of two devices: one is used, the other is not; settings do not matter', async () => {
    const user = await newUser();
    await choose(user, { providers: { apple_health: false } });
    await user.upload(watch, {
      workouts: [
        run('w1', '2026-03-01T16:00:00Z', '2026-03-01T17:00:00Z', {
          values: { distance: 10, active_calories: 700 },
        }),
      ],
    });
    await user.upload(band, {
      workouts: [run('b1', '2026-03-01T16:05:00Z', '2026-03-01T17:05:00Z', { values: { distance: 9 } })],
    });
    await workThrough(app);
    const list = await app.request('GET', `/v1/users/${user.id}/workouts?from_date=${date}&to_date=${date}`);
    const [{ id }] = list.body.data;
    const { status, body } = await app.request('GET', `/v1/users/${user.id}/workouts/${id}/explain`);
    expect(status).toBe(200);
    expect(check(describedAt.get('explainWorkout')!, body)).toBeNull();
    expect(body).toMatchObject({
      id,
      kind: 'workout',
      date,
      kept: { device: { kind: 'band' }, rank: 15, source_id: 'b1' },
      merged: [
        { device: { kind: 'watch' }, rank: 20, source_id: 'w1', overlap_minutes: 55, reason: 'lower_rank' },
      ],
      pending_rebuild: false,
    });
    expect(body).not.toHaveProperty('is_main_sleep');
    const count = await explain(user, 'workout_count');
    expect(count).toMatchObject({
      value: 1,
      sessions: [{ id, kind: 'workout', is_main_sleep: false }],
      pending_rebuild: false,
    });
    const running = await explain(user, 'running');
    expect(candidate(running, 'band')).toMatchObject({
      value: 9,
      made_of: 'sessions',
      sessions: [{ id, source_id: 'b1' }],
    });
    expect(candidate(running, 'watch')).toMatchObject({ reason: 'excluded' });
  });

  test('excludes a removed device', async () => {
    const user = await sleepers();
    const [, main] = await sleepOf(user);
    const devices = (await app.request('GET', `/v1/users/${user.id}/devices`)).body.data;
    const watchId = devices.find(({ provider }: { provider: string }) => provider === 'apple_health').id;
    await app.request('DELETE', `/v1/users/${user.id}/devices/${watchId}`);
    expect(await explainSleep(user, main!.id)).toMatchObject({ merged: [], pending_rebuild: true });
    expect((await explain(user, 'deep_sleep')).candidates).toHaveLength(1);
  });
});

describe('304', () => {
  // @contract all/caching: Explanations
  test('does not resend a current explanation until something changes', async () => {
    const user = await newUser();
    await user.upload(watch, totals({ steps: 8420 }));
    await workThrough(app);
    const etag = (await requestExplanation(user, 'steps')).headers.get('etag')!;
    const options = { headers: { 'if-none-match': etag } };
    expect((await requestExplanation(user, 'steps', date, options)).status).toBe(304);
    await user.upload(ring, totals({ steps: 1 }));
    await workThrough(app);
    const again = await requestExplanation(user, 'steps', date, options);
    expect(again.status).toBe(200);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
  });
});

test('runs two statements for an explanation and one for that of a session', async () => {
  const user = await newUser();
  await user.upload(watch, {
    ...totals({ steps: 1 }),
    sleep: [{ id: 's', start: '2026-02-28T22:00:00Z', end: '2026-03-01T05:00:00Z' }],
  });
  await workThrough(app);
  await choose(user, { metrics: { steps: { method: 'merge' } } });
  const list = await app.request('GET', `/v1/users/${user.id}/sleep?from_date=${date}&to_date=${date}`);
  const spy = vi.spyOn(app.ctx.db, 'query');
  // The clock and the caller are read from time to time, whatever the request.
  const queryNames = () =>
    spy.mock.calls
      .map(([query]) => query as unknown as { name: string; values?: unknown[] })
      .filter(({ values }) => values?.includes(user.uuid))
      .map(({ name }) => name);
  await requestExplanation(user, 'steps');
  expect(queryNames()).toEqual(['explain/day-none', 'explain/received']);
  spy.mockClear();
  await app.request('GET', `/v1/users/${user.id}/sleep/${list.body.data[0].id}/explain`);
  expect(queryNames()).toEqual(['explain/sleep']);
  spy.mockRestore();
});

describe('400', () => {
  const known = formatId('user', randomUUID());
  test.each([
    // @contract explain-daily/fields: 400: `metric` missing
    ['?date=2026-03-01', 'metric', 'is required'],
    // @contract explain-daily/fields: 400: `date` missing
    ['?metric=steps', 'date', 'is required'],
    // @contract explain-daily/fields: 400: unknown `metric`
    [
      '?metric=pace&date=2026-03-01',
      'metric',
      'must be the id of a daily metric. List all metrics with `GET /v1/metrics`',
    ],
    // @contract explain-daily/fields: 400: `metric` empty
    ['?metric=&date=2026-03-01', 'metric', 'must not be empty'],
    // @contract explain-daily/fields: 400: `metric` that is a score
    [
      '?metric=sleep_score&date=2026-03-01',
      'metric',
      'must be the id of a daily metric. Scores are explained by their own factors',
    ],
    // @contract explain-daily/fields: 400: `metric` that is a score
    [
      '?metric=stress_score&date=2026-03-01',
      'metric',
      'must be the id of a daily metric. Scores are explained by their own factors',
    ],
    // @contract explain-daily/fields: 400: `metric` of a workout
    [
      '?metric=zone_1&date=2026-03-01',
      'metric',
      'must be the id of a daily metric. Workout metrics have no daily value',
    ],
    // @contract explain-daily/fields: 400: `date` that is not a calendar date
    ['?metric=steps&date=2026-02-30', 'date', 'must be a calendar date, YYYY-MM-DD'],
    // @contract explain-daily/fields: 400: `date` before 1900
    ['?metric=steps&date=1800-01-01', 'date', 'must be a calendar date, YYYY-MM-DD, between 1900 and 2200'],
    // @contract explain-daily/fields: 400: an unknown parameter
    ['?metric=steps&date=2026-03-01&unit_system=metric', 'unit_system', 'is not supported by this endpoint'],
    // @contract explain-daily/fields: 400: `metric` repeated
    ['?metric=steps&metric=distance&date=2026-03-01', 'metric', 'must be a string'],
  ])('%s', async (query, name, problem) => {
    const { status, body } = await app.request('GET', `/v1/users/${known}/daily/explain${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'invalid_request',
      details: { fields: [{ in: 'query', name, problem }] },
    });
  });
});

describe('403', () => {
  test.each([
    // @contract explain-daily/fields: 403: user tokens cannot read reported values
    'daily/explain?metric=steps&date=2026-03-01',
    // @contract explain-sleep/fields: 403 for a user token
    'sleep/slp_x/explain',
    // @contract explain-workout/fields: 403 for a user token
    'workouts/wko_x/explain',
  ])('a user token may not read reported values: %s', async (path) => {
    const user = await newUser();
    const { body } = await app.request('POST', '/v1/auth/user-token', { body: { user_id: user.id } });
    const response = await app.request('GET', `/v1/users/${user.id}/${path}`, { key: body.token });
    expect(response).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
  });
});

describe('404', () => {
  // @contract explain-sleep/fields: 404 `not_found` for a session that is missing, malformed or belongs to another user
  // @contract explain-workout/fields: 404 `workout_not_found` for a workout that is missing, malformed or belongs to another user
  test('returns the same response for foreign and missing users and sessions', async () => {
    const user = await newUser();
    await user.upload(watch, {
      sleep: [{ id: 's', start: '2026-02-28T22:00:00Z', end: '2026-03-01T05:00:00Z' }],
      workouts: [
        { id: 'w', sport_type: 'running', start: '2026-03-01T16:00:00Z', end: '2026-03-01T17:00:00Z' },
      ],
    });
    await workThrough(app);
    const dates = `from_date=${date}&to_date=${date}`;
    const sleep = (await app.request('GET', `/v1/users/${user.id}/sleep?${dates}`)).body.data[0].id;
    const workout = (await app.request('GET', `/v1/users/${user.id}/workouts?${dates}`)).body.data[0].id;
    const other = await newUser();
    const stranger = await app.createAccount();
    const paths = (id: string, slp = sleep, wko = workout) => [
      [`/v1/users/${id}/daily/explain?metric=steps&date=${date}`, 'not_found'],
      [`/v1/users/${id}/sleep/${slp}/explain`, 'not_found'],
      [`/v1/users/${id}/workouts/${wko}/explain`, 'not_found'],
    ];
    for (const [path, error] of paths(user.id)) {
      for (const key of [stranger.liveKey, app.account.sandboxKey]) {
        expect(await app.request('GET', path!, { key })).toMatchObject({ status: 404, body: { error } });
      }
      expect((await app.request('GET', path!)).status).toBe(200);
    }
    for (const [slp, wko] of [
      [sleep, workout],
      ['slp_x', 'wko_x'],
      [formatId('slp', randomUUID()), formatId('wko', randomUUID())],
    ]) {
      const [, ofSleep, ofWorkout] = paths(other.id, slp, wko);
      expect(await app.request('GET', ofSleep![0]!)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
      expect(await app.request('GET', ofWorkout![0]!)).toMatchObject({
        status: 404,
        body: { error: 'workout_not_found' },
      });
    }
    const options = { headers: { 'if-none-match': '*' } };
    expect((await app.request('GET', paths(other.id)[1]![0]!, options)).status).toBe(404);
  });
});
