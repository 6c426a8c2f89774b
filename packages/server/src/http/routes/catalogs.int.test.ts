import {
  categoryOrder,
  consolidationKeyOf,
  consolidationKeys,
  findConsolidation,
  findMetric,
  groups,
  metrics,
} from '@tributary/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateAccount } from '../../services/accounts/update-account.ts';
import { createSchemaCheck, readOpenApiFile } from '../../test/openapi-file.ts';
import { startTestApp, type TestResponse, type TestApp } from '../../test/apps/test-app.ts';
import { testActor } from '../../test/acting.ts';

const check = createSchemaCheck(await readOpenApiFile());
const consolidationPath = '/v1/consolidation/catalog';
const metricsPath = '/v1/metrics';
const both = [consolidationPath, metricsPath];

interface Entry {
  key: string;
  kind: string;
  category: string;
  members?: string[];
}

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function get(path: string, ifNoneMatch?: string): Promise<TestResponse> {
  return app.request('GET', path, ifNoneMatch ? { headers: { 'if-none-match': ifNoneMatch } } : {});
}

function expectError(response: TestResponse, status: number, code: string): void {
  expect({ status: response.status, error: response.body.error }).toEqual({ status, error: code });
}

describe('consolidation catalog', () => {
  const entries = async (): Promise<Entry[]> => (await get(consolidationPath)).body.metrics;

  // @contract catalog/fields: `category_order`, `metrics`, and `methods` _(addition)_
  test('returns 200 and matches its schema', async () => {
    const response = await get(consolidationPath);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(response.body)).toEqual(['category_order', 'methods', 'metrics']);
    expect(check('/components/schemas/ConsolidationCatalog', response.body)).toBeNull();
  });

  // @contract catalog/fields: An entry has `key`, `display_name`, `category`, `kind`, `default_method`, `allowed_methods`
  test('has every key with its domain properties, and no other field', async () => {
    const expected = consolidationKeys.map((key) => {
      const one = findConsolidation(key)!;
      const group = groups.find((candidate) => candidate.key === key);
      return {
        key,
        display_name: one.displayName,
        category: one.category,
        kind: group ? 'group' : 'metric',
        default_method: one.defaultMethod,
        allowed_methods: one.allowedMethods,
        ...(group ? { members: group.members } : {}),
      };
    });
    expect(await entries()).toStrictEqual(expected);
  });

  // @contract catalog/fields: Categories: Activity, Energy, Body Composition, Sleep, Vitals, Nutrition, and Reproductive Health _(addition)_
  test('lists categories in order, and entries in the same order', async () => {
    const { body } = await get(consolidationPath);
    const order = [
      'Activity',
      'Energy',
      'Body Composition',
      'Sleep',
      'Vitals',
      'Nutrition',
      'Reproductive Health',
    ];
    expect(body.category_order).toEqual(order);
    expect(body.category_order).toEqual(categoryOrder);
    const places = body.metrics.map(({ category }: Entry) => order.indexOf(category));
    expect(places).toEqual(places.toSorted((a: number, b: number) => a - b));
    expect(new Set(places).size).toBe(order.length);
  });

  // @contract catalog/fields: `methods` describes every method _(addition)_
  test('describes every method that is allowed anywhere', async () => {
    const { body } = await get(consolidationPath);
    const described = body.methods.map(({ method }: { method: string }) => method);
    expect(described).toEqual(['priority', 'merge', 'max', 'avg', 'sum']);
    for (const { description } of body.methods) expect(description).toMatch(/^[A-Z].+\.$/);
    const allowed = body.metrics.flatMap((one: { allowed_methods: string[] }) => one.allowed_methods);
    expect(new Set(allowed)).toEqual(new Set(described));
  });

  // @contract catalog/fields: `kind` is `metric` or `group`; groups name their `members` _(addition)_
  test('lists the members of groups, which are metrics without their own keys', async () => {
    const all = await entries();
    const keys = all.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const shownGroups = all.filter(({ kind }) => kind === 'group');
    expect(shownGroups).toHaveLength(groups.length);
    for (const { key, category, members } of shownGroups) {
      expect(members!.length, key).toBeGreaterThan(1);
      for (const member of members!) {
        expect(keys).not.toContain(member);
        expect(findMetric(member)).toMatchObject({ category, group: key });
      }
    }
    for (const { key, kind, members } of all) if (kind === 'metric') expect(members, key).toBeUndefined();
  });

  // @contract catalog/fields: An entry has `key`, `display_name`, `category`, `kind`, `default_method`, `allowed_methods`
  test('has the expected entries for single metrics and groups', async () => {
    const all = await entries();
    expect(all.find(({ key }) => key === 'steps')).toStrictEqual({
      key: 'steps',
      display_name: 'Steps',
      category: 'Activity',
      kind: 'metric',
      default_method: 'priority',
      allowed_methods: ['priority', 'merge', 'max', 'avg', 'sum'],
    });
    expect(all.find(({ key }) => key === 'blood_pressure')).toStrictEqual({
      key: 'blood_pressure',
      display_name: 'Blood pressure',
      category: 'Vitals',
      kind: 'group',
      default_method: 'priority',
      allowed_methods: ['priority', 'avg'],
      members: ['blood_pressure_systolic', 'blood_pressure_diastolic'],
    });
  });

  // @contract catalog/fields: The two kinds of heart rate variability have separate keys
  test('separates the two kinds of heart rate variability', async () => {
    const keys = (await entries()).map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(['heart_rate_variability', 'heart_rate_variability_rmssd']));
  });
});

describe('data catalog', () => {
  test('returns 200 and matches its schema', async () => {
    const response = await get(metricsPath);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(response.body)).toEqual(['data']);
    expect(check('/components/schemas/MetricCatalog', response.body)).toBeNull();
  });

  // @contract metrics/fields: `data` lists every metric with ID, unit and description
  test('has all 244 metrics with their domain properties, and no other field', async () => {
    const { body } = await get(metricsPath);
    expect(body.data).toHaveLength(244);
    expect(body.data).toStrictEqual(
      metrics.map((metric) => ({
        id: metric.id,
        display_name: metric.displayName,
        category: metric.category,
        description: metric.description,
        unit: metric.unit,
        imperial_unit: metric.imperial.unit,
        kind: metric.kind,
        aggregation: metric.aggregation,
        origin: metric.origin,
        precision: metric.precision,
        minimum: metric.min,
        maximum: metric.max,
        maximum_per_minute: metric.maxPerMinute,
        levels:
          metric.levels?.map(({ value, name, healthkit, healthConnect }) => ({
            value,
            name,
            healthkit,
            health_connect: healthConnect,
          })) ?? null,
        timeseries: metric.timeseries,
        consolidation:
          metric.defaultMethod === null
            ? null
            : {
                key: consolidationKeyOf(metric),
                default_method: metric.defaultMethod,
                allowed_methods: metric.allowedMethods,
              },
        codes: {
          loinc: metric.loinc,
          open_mhealth: metric.openMhealth,
          healthkit: metric.healthkit,
          health_connect: metric.healthConnect,
          ucum: metric.ucumUnit,
        },
        form_1: metric.form1Surfaces,
        form_2: metric.form2Surfaces,
        form_2_field: metric.form2Field,
      })),
    );
  });

  // @contract metrics/fields: A metric has a description, units, and the endpoints that return it
  // @contract metrics/fields: A metric in codes lists its `levels`, with their numbers in HealthKit and Health Connect _(addition)_
  test('has the expected entries for a metric, a group member and a score', async () => {
    const { body } = await get(metricsPath);
    const find = (id: string) => body.data.find((metric: { id: string }) => metric.id === id);
    expect(find('distance')).toStrictEqual({
      id: 'distance',
      display_name: 'Distance',
      category: 'Activity',
      description:
        'Distance covered on foot (walking and running) in the local day. In a workout, the distance of that session, whatever the sport.',
      unit: 'km',
      imperial_unit: 'mi',
      kind: 'daily_total',
      aggregation: 'sum',
      origin: 'measured',
      precision: 2,
      minimum: 0,
      maximum: 330,
      maximum_per_minute: 0.75,
      levels: null,
      timeseries: false,
      consolidation: {
        key: 'distance',
        default_method: 'priority',
        allowed_methods: ['priority', 'merge', 'max', 'avg', 'sum'],
      },
      codes: {
        loinc: '103208-5',
        open_mhealth: 'omh:physical-activity:1.2#distance',
        healthkit: 'HKQuantityTypeIdentifierDistanceWalkingRunning',
        health_connect: 'DistanceRecord',
        ucum: 'km',
      },
      form_1: ['daily', 'workouts'],
      form_2: ['daily', 'workouts'],
      form_2_field: 'distance_km',
    });
    expect(find('blood_pressure_systolic')).toMatchObject({
      unit: 'mmHg',
      consolidation: { key: 'blood_pressure', default_method: 'priority' },
    });
    expect(find('ovulation_test')).toMatchObject({
      unit: 'code',
      levels: [
        { value: 0, name: 'indeterminate', healthkit: 3, health_connect: 0 },
        { value: 1, name: 'negative', healthkit: 1, health_connect: 3 },
        { value: 2, name: 'high', healthkit: 4, health_connect: 2 },
        { value: 3, name: 'positive', healthkit: 2, health_connect: 1 },
      ],
    });
    expect(find('recovery_score')).toMatchObject({ category: 'Scores', kind: 'score', consolidation: null });
  });

  // @contract metrics/fields: A configurable metric references the consolidation catalog
  test('references keys of the consolidation catalog', async () => {
    const shown = (await get(consolidationPath)).body.metrics;
    const { body } = await get(metricsPath);
    const settings = new Map(
      body.data.flatMap(({ consolidation }: { consolidation: { key: string } | null }) =>
        consolidation ? [[consolidation.key, consolidation]] : [],
      ),
    );
    expect([...settings.values()]).toEqual(
      shown.map(({ key, default_method, allowed_methods }: Record<string, unknown>) => ({
        key,
        default_method,
        allowed_methods,
      })),
    );
  });

  // @contract metrics/fields: Categories: Activity, Energy, Body Composition, Sleep, Vitals, Nutrition, Reproductive Health, Scores
  test.each([...categoryOrder, 'Scores'])('lists the metrics of one category: %s', async (category) => {
    const { body } = await get(metricsPath);
    const response = await get(`${metricsPath}?category=${encodeURIComponent(category)}`);
    expect(response.status).toBe(200);
    expect(response.body.data.length).toBeGreaterThan(0);
    expect(response.body.data).toEqual(
      body.data.filter((metric: { category: string }) => metric.category === category),
    );
    expect(check('/components/schemas/MetricCatalog', response.body)).toBeNull();
  });

  test.each([
    // @contract metrics/fields: `category` empty
    '',
    // @contract metrics/fields: `category` in other letter case
    'activity',
    // @contract metrics/fields: Unknown `category`
    'Steps',
    // @contract metrics/fields: Unknown `category`
    '__proto__',
  ])('returns 400 for the category %j', async (category) => {
    const response = await get(`${metricsPath}?category=${category}`);
    expectError(response, 400, 'invalid_request');
    expect(response.body.details).toEqual({
      request_id: expect.any(String),
      fields: [
        {
          in: 'query',
          name: 'category',
          problem:
            'must be one of Activity, Energy, Body Composition, Sleep, Vitals, Nutrition, Reproductive Health, Scores',
        },
      ],
    });
  });
});

describe.each(both)('%s', (path) => {
  // @contract all/caching [/v1/metrics]: Reads may be cached but must be revalidated: `private, no-cache`, `Vary: Authorization`
  test('returns 200 in both environments, to be cached with revalidation', async () => {
    for (const key of [app.account.liveKey, app.account.sandboxKey]) {
      const response = await app.request('GET', path, { key });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('vary')).toBe('Authorization');
      expect(response.headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  // @contract all/caching [/v1/consolidation/catalog]: Consolidation catalog
  // @contract all/caching [/v1/metrics]: Data catalog
  test('returns 304 without a body for a matching tag, strong, weak or in a list', async () => {
    const etag = (await get(path)).headers.get('etag')!;
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get(path, ifNoneMatch);
      expect(response.status, ifNoneMatch).toBe(304);
      expect(response.body).toBe('');
      expect(response.headers.get('etag')).toBe(etag);
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('vary')).toBe('Authorization');
    }
  });

  test('returns 200 for any other tag', async () => {
    const etag = (await get(path)).headers.get('etag')!;
    const response = await get(path, `"${etag.slice(2)}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe(etag);
  });

  test('returns 400 for an unknown query parameter', async () => {
    const response = await get(`${path}?verbose=true`);
    expectError(response, 400, 'invalid_request');
    expect(response.body.details).toEqual({
      fields: [{ in: 'query', name: 'verbose', problem: 'is not supported by this endpoint' }],
      request_id: expect.any(String),
    });
  });

  test('returns 401 without a key, whatever tag the client has', async () => {
    const response = await app.request('GET', path, { key: '', headers: { 'if-none-match': '*' } });
    expectError(response, 401, 'missing_token');
    expectError(await app.request('GET', path, { key: 'sk_live_unknown' }), 401, 'invalid_token');
  });

  test('returns 402 while the account is suspended', async () => {
    const account = await app.createAccount();
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
    expectError(await app.request('GET', path, { key: account.liveKey }), 402, 'payment_required');
  });

  test('returns 403 for a user token', async () => {
    const user = await app.request('POST', '/v1/users', { body: { reference_id: path } });
    const { body } = await app.request('POST', '/v1/auth/user-token', {
      body: { user_id: user.body.data.id },
    });
    expectError(await app.request('GET', path, { key: body.token }), 403, 'insufficient_scope');
  });
});

test('tags different responses differently', async () => {
  const paths = [...both, `${metricsPath}?category=Sleep`, `${metricsPath}?category=Vitals`];
  const tags = await Promise.all(paths.map(async (path) => (await get(path)).headers.get('etag')));
  expect(new Set(tags).size).toBe(paths.length);
});
