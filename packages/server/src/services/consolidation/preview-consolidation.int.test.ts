import {
  consolidationKeys,
  findConsolidation,
  findMetric,
  roundTo,
  type SettingsPatch,
} from '@tributary/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { batchesOfOnePerson } from '../../test/data/generate-batches.ts';
import { createSchemaCheck, readOpenApiFile } from '../../test/openapi-file.ts';
import { readStoredValues, type StoredValue, type StoredValues } from '../../test/data/stored-values.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';
import { reconsolidateUser } from './reconsolidate-user.ts';

const check = createSchemaCheck(await readOpenApiFile());
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const path = (user: PhoneUser) => `/v1/users/${user.id}/consolidation`;

async function previewOf(user: PhoneUser, body: SettingsPatch, query = '') {
  const response = await app.request('POST', `${path(user)}/preview${query}`, { body });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  expect(check('/components/schemas/ConsolidationPreview', response.body)).toBeNull();
  return response.body;
}

async function change(user: PhoneUser, body: SettingsPatch): Promise<void> {
  expect((await app.request('PATCH', path(user), { body })).status).toBe(202);
  await reconsolidateUser(app.ctx, user.uuid);
}

/** Everything about a user that a preview might change by mistake. */
async function everythingOf({ uuid }: PhoneUser): Promise<string> {
  const tables = [
    'users',
    'canonical_months',
    'canonical_sleep',
    'canonical_workouts',
    'device_days',
    'events',
  ];
  const parts = tables.map(
    (table) => `(SELECT json_agg(t ORDER BY t::text) FROM ${table} t
       WHERE ${table === 'users' ? 'id' : 'user_id'} = $1)`,
  );
  const jobs = `(SELECT json_agg(id) FROM pgboss.job WHERE singleton_key = $1::text)`;
  const text = `SELECT json_build_array(${[...parts, jobs].join()})::text AS all FROM (SELECT $1::uuid) AS u`;
  return (await app.admin.query(text, [uuid])).rows[0].all;
}

/** The preview that is expected for two states of the tables. */
async function differencesOf(user: PhoneUser, before: StoredValues, after: StoredValues) {
  const devices = await app.admin.query('SELECT id, provider, stable_id FROM devices WHERE user_id = $1', [
    user.uuid,
  ]);
  const ids = new Map(
    devices.rows.map((row) => [
      `${row.provider}/${row.stable_id}`,
      { provider: row.provider, device_id: formatId('dev', row.id) },
    ]),
  );
  const sourceOf = (canonicalValue?: StoredValue) =>
    canonicalValue?.source ? ids.get(canonicalValue.source) : null;
  const values: Record<string, object> = {};
  for (const key of new Set([...Object.keys(before.values), ...Object.keys(after.values)])) {
    const [old, now] = [before.values[key], after.values[key]];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const [metric, date] = key.split(' ') as [string, string];
    const shown = (canonicalValue?: StoredValue) =>
      canonicalValue ? roundTo(canonicalValue.value, findMetric(metric)!.precision) : null;
    values[key] = {
      date,
      before: shown(old),
      after: shown(now),
      source_before: sourceOf(old),
      source_after: sourceOf(now),
    };
  }
  const days = new Set([...Object.keys(before.sleep), ...Object.keys(after.sleep)]);
  const sleep = [...days].filter((day) => before.sleep[day]?.join() !== after.sleep[day]?.join());
  return { values, sleep: sleep.toSorted() };
}

interface PreviewedMetric {
  metric: string;
  unit: string;
  days_changed: number;
  changes: { date: string }[];
}

describe('a preview compared with the actual change', () => {
  const keys = [
    'steps',
    'active_calories',
    'resting_energy',
    'resting_heart_rate',
    'sleep_stages',
    'weight',
    'heart_rate',
  ];
  const providerOf = { w1: 'apple_health', w2: 'health_connect', p1: 'samsung_health' } as Record<
    string,
    string
  >;
  const switches = (connected: string[]) =>
    fc.dictionary(fc.constantFrom(...connected), fc.boolean(), { maxKeys: 2, noNullPrototype: true });
  const patchFor = (connected: string[]) => {
    const ofKey = (key: string) =>
      fc.record(
        {
          method: fc.constantFrom(...findConsolidation(key)!.allowedMethods, null),
          providers: switches(connected),
        },
        { requiredKeys: [] },
      );
    const metrics = fc.record(Object.fromEntries(keys.map((key) => [key, ofKey(key)])), { requiredKeys: [] });
    const patch = fc.record({ metrics, providers: switches(connected) }, { requiredKeys: ['metrics'] });
    return patch as fc.Arbitrary<SettingsPatch>;
  };

  // @contract consolidation-preview/fields: The preview matches the result of the actual change
  test('matches for 60 users with two consecutive changes each', async () => {
    expect(keys.filter((key) => !consolidationKeys.includes(key))).toEqual([]);
    const seen = { values: 0, sleep: 0, unchanged: 0 };
    for (const [at, batches] of fc.sample(batchesOfOnePerson, { numRuns: 60, seed: 11 }).entries()) {
      const user = await createPhoneUser(app, { timezone: 'Europe/Berlin' });
      const connected = new Set<string>();
      for (const { created: _, batch_id: _id, device, ...content } of batches) {
        const provider = providerOf[device.id]!;
        connected.add(provider);
        await user.upload({ ...device, provider }, content);
      }
      await workThrough(app);
      for (const patch of fc.sample(patchFor([...connected]), { numRuns: 2, seed: at })) {
        const before = await readStoredValues(app, user.uuid);
        const untouched = await everythingOf(user);
        const preview = await previewOf(user, patch, '?from_date=2026-03-01&to_date=2026-04-15');
        expect(await everythingOf(user)).toBe(untouched);
        await change(user, patch);
        const after = await readStoredValues(app, user.uuid);
        const expected = await differencesOf(user, before, after);
        const previewedValues = Object.fromEntries(
          preview.metrics.flatMap(({ metric, unit, days_changed, changes }: PreviewedMetric) => {
            expect(unit).toBe(findMetric(metric)!.unit);
            expect(days_changed).toBe(changes.length);
            return changes.map((one) => [`${metric} ${one.date}`, one]);
          }),
        );
        expect(previewedValues, JSON.stringify({ at, patch })).toEqual(expected.values);
        expect(preview.sleep.changes.map(({ date }: { date: string }) => date)).toEqual(expected.sleep);
        expect(preview.changed).toBe(Object.keys(previewedValues).length + expected.sleep.length > 0);
        expect(after.workouts).toEqual(before.workouts);
        seen.values += Object.keys(previewedValues).length;
        seen.sleep += expected.sleep.length;
        seen.unchanged += preview.changed ? 0 : 1;
      }
    }
    expect(Math.min(seen.values, seen.sleep, seen.unchanged)).toBeGreaterThan(10);
  }, 120_000);
});

describe('the days of a preview', () => {
  const steps = (first: string, count: number) => ({
    daily: Array.from({ length: count }, (_, at) => ({
      metric: 'steps',
      date: new Date(Date.parse(first) + at * 86_400_000).toISOString().slice(0, 10),
      value: 1_000 + at,
    })),
  });

  async function walker(first: string, days: number): Promise<PhoneUser> {
    const user = await createPhoneUser(app, { timezone: 'Pacific/Kiritimati' });
    await user.upload({ id: 'watch' }, steps(first, days));
    await workThrough(app);
    return user;
  }
  const without = { providers: { apple_health: false } };

  // @contract consolidation-preview/fields: Without dates, the preview covers the 30 days up to today in the user's time zone
  test('default to the last thirty in the time zone of the user', async () => {
    const today = new Date(app.ctx.clock.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    const first = new Date(Date.parse(today) - 40 * 86_400_000).toISOString().slice(0, 10);
    const user = await walker(first, 41);
    const { from_date, to_date, metrics } = await previewOf(user, without);
    expect(Date.parse(to_date) - Date.parse(from_date)).toBe(29 * 86_400_000);
    expect(to_date).toBe(today);
    expect(metrics[0]).toMatchObject({ metric: 'steps', days_changed: 30 });
    expect(metrics[0].changes).toHaveLength(30);
    expect(metrics[0].changes.at(-1)).toMatchObject({
      date: today,
      before: 1_040,
      after: null,
      source_after: null,
    });
  });

  // @contract consolidation-preview/fields: A preview covers at most 366 days and lists up to 31 changes per metric
  test('can be 366, with the first 31 changes of each metric listed', async () => {
    const user = await walker('2024-01-01', 366);
    const { metrics, sleep } = await previewOf(user, without, '?from_date=2024-01-01&to_date=2024-12-31');
    expect(metrics).toHaveLength(1);
    expect(metrics[0].days_changed).toBe(366);
    const dates = metrics[0].changes.map(({ date }: { date: string }) => date);
    expect(dates).toHaveLength(31);
    expect([dates[0], dates.at(-1)]).toEqual(['2024-01-01', '2024-01-31']);
    expect(sleep).toEqual({ days_changed: 0, changes: [] });
  });

  // @contract consolidation-preview/fields: The preview omits changes outside the requested days
  test('limit the reported changes', async () => {
    const user = await walker('2026-01-30', 4);
    const { metrics } = await previewOf(user, without, '?from_date=2026-01-31&to_date=2026-02-01');
    expect(metrics[0].changes.map(({ date }: { date: string }) => date)).toEqual([
      '2026-01-31',
      '2026-02-01',
    ]);
    const empty = await previewOf(user, without, '?from_date=2020-01-01&to_date=2020-01-31');
    expect(empty).toMatchObject({ changed: false, metrics: [], sleep: { days_changed: 0, changes: [] } });
  });
});

test('a preview of a year does not block the event loop', async () => {
  const user = await createPhoneUser(app);
  const dates = Array.from({ length: 365 }, (_, at) =>
    new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10),
  );
  const metrics = [
    'steps',
    'distance',
    'active_calories',
    'resting_energy',
    'resting_heart_rate',
    'weight',
    'exercise',
  ];
  for (const [device, provider] of [
    ['watch', 'apple_health'],
    ['band', 'health_connect'],
    ['ring', 'samsung_health'],
  ] as const) {
    const daily = metrics.flatMap((metric) => dates.map((date) => ({ metric, date, value: 60 })));
    await user.upload({ id: device, kind: device, provider }, { daily });
  }
  await workThrough(app);
  let [worstMs, last] = [0, performance.now()];
  const watching = setInterval(() => {
    worstMs = Math.max(worstMs, performance.now() - last);
    last = performance.now();
  }, 1);
  await previewOf(user, { providers: { apple_health: false } }, '?from_date=2025-01-01&to_date=2025-12-31');
  clearInterval(watching);
  expect(worstMs).toBeLessThan(250);
});
