import { consolidationKeys, findConsolidation } from '@tributary/domain';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { updateAccount } from '../../services/accounts/update-account.ts';
import { createSchemaCheck, readOpenApiFile } from '../../test/openapi-file.ts';
import { startTestApp, type TestResponse, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';
import { testActor } from '../../test/acting.ts';

const check = createSchemaCheck(await readOpenApiFile());
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const missing = formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f');
const pathOf = (id: string) => `/v1/users/${id}/consolidation`;
const get = (id: string) => app.request('GET', pathOf(id));
const patch = (id: string, body: unknown) => app.request('PATCH', pathOf(id), { body });
const reset = (id: string) => app.request('DELETE', pathOf(id));
const preview = (id: string, body: unknown, query = '') =>
  app.request('POST', `${pathOf(id)}/preview${query}`, { body });

/** A user with data of an Apple Watch and of a phone that reports through Health Connect. */
async function userWithTwoProviders(): Promise<PhoneUser> {
  const user = await createPhoneUser(app);
  const daily = (value: number) => ({ daily: [{ metric: 'steps', date: '2026-03-01', value }] });
  await user.upload({ id: 'watch-1' }, daily(8_000));
  const phone = { id: 'phone-1', kind: 'phone', provider: 'health_connect' };
  await user.upload(phone, daily(5_000));
  await workThrough(app);
  return user;
}

function expectError(response: TestResponse, status: number, code: string, details?: object): void {
  expect({ status: response.status, error: response.body.error }).toEqual({ status, error: code });
  expect(check('/components/schemas/Error', response.body)).toBeNull();
  if (details)
    expect(response.body.details).toEqual({ ...details, request_id: response.headers.get('request-id') });
}

const metricIn = (response: TestResponse, key: string) => {
  const { metrics } = response.body.configuration ?? response.body;
  return metrics.find((one: { key: string }) => one.key === key);
};

const on = (provider: string) => ({ provider, enabled: true });
const off = (provider: string) => ({ provider, enabled: false });

async function jobsOf({ uuid }: PhoneUser) {
  const { rows } = await app.admin.query(
    `SELECT data, extract(epoch FROM start_after - created_on)::float8 AS wait FROM pgboss.job
     WHERE name = 'reconsolidate-user' AND singleton_key = $1`,
    [uuid],
  );
  return rows as { data: object; wait: number }[];
}

async function storedFor({ uuid }: PhoneUser) {
  const { rows } = await app.admin.query('SELECT consolidation, data_version FROM users WHERE id = $1', [
    uuid,
  ]);
  return rows[0] as { consolidation: object; data_version: string };
}

describe('200: effective configuration', () => {
  // @contract consolidation/fields: `metrics`: `key`, `category`, `default_method`, `method`, `overridden`, `providers`
  test('has the catalog default for every key without settings', async () => {
    const user = await userWithTwoProviders();
    const response = await get(user.id);
    expect(response.status).toBe(200);
    expect(check('/components/schemas/ConsolidationConfiguration', response.body)).toBeNull();
    const providers = [on('apple_health'), on('health_connect')];
    expect(response.body).toStrictEqual({
      providers,
      metrics: consolidationKeys.map((key) => {
        const { category, defaultMethod } = findConsolidation(key)!;
        const methods = { default_method: defaultMethod, method: defaultMethod, overridden: false };
        return { key, category, ...methods, providers };
      }),
    });
  });

  // @contract consolidation/fields: `providers` lists each connected provider with `enabled`
  // @contract consolidation-update/errors: A connected provider is neither pending nor removed
  test('lists each connected provider once, by name, without pending and removed ones', async () => {
    const user = await userWithTwoProviders();
    for (const [provider, status] of [
      ['whoop', 'pending'],
      ['zepp', 'expired'],
      ['garmin', 'active'],
      ['garmin', 'pending'],
      ['Withings', 'suspect'],
    ] as const)
      await app.insertDevice(user.uuid, { id: randomUUID(), provider, status });
    const { body } = await app.request('GET', `/v1/users/${user.id}/devices`);
    const watch = body.data.find((device: { provider: string }) => device.provider === 'apple_health');
    await app.request('DELETE', `/v1/users/${user.id}/devices/${watch.id}`);
    const names = ['Withings', 'garmin', 'health_connect', 'zepp'];
    const response = await get(user.id);
    expect(response.body.providers).toEqual(names.map(on));
    expect(metricIn(response, 'steps').providers).toEqual(names.map(on));
  });

  // @contract consolidation/fields: Every catalog key is listed, even without a device
  test('has every key and no provider for a user without devices', async () => {
    const { body } = await get((await createPhoneUser(app)).id);
    expect(body.providers).toEqual([]);
    expect(body.metrics.map(({ key }: { key: string }) => key)).toEqual(consolidationKeys);
  });
});

describe('202: change', () => {
  // @contract consolidation/fields: `overridden` is true when the effective method differs from the catalog default
  // @contract consolidation-update/effects: Changed settings: `status` is `reconsolidating`
  // @contract consolidation-update/effects: Only the supplied settings change
  test('changes only the named settings and returns the effective ones', async () => {
    const user = await userWithTwoProviders();
    const first = await patch(user.id, {
      metrics: {
        steps: { method: 'merge', providers: { health_connect: false } },
        weight: { method: 'avg' },
      },
    });
    expect(first.status).toBe(202);
    expect(first.body.status).toBe('reconsolidating');
    expect(check('/components/schemas/ConsolidationChange', first.body)).toBeNull();
    const second = await patch(user.id, { metrics: { weight: { method: 'max' } } });
    expect(metricIn(second, 'steps')).toStrictEqual({
      key: 'steps',
      category: 'Activity',
      default_method: 'priority',
      method: 'merge',
      overridden: true,
      providers: [on('apple_health'), off('health_connect')],
    });
    expect(metricIn(second, 'weight')).toMatchObject({ method: 'max', overridden: true });
    expect(metricIn(second, 'distance')).toMatchObject({ method: 'priority', overridden: false });
    expect(second.body.configuration.providers).toEqual([on('apple_health'), on('health_connect')]);
    expect((await get(user.id)).body).toEqual(second.body.configuration);
  });

  // @contract consolidation/fields: A provider that is disabled for all metrics is disabled for each metric
  // @contract consolidation/fields: `enabled` of a metric is the effective setting: false when disabled for the metric or for all metrics
  test('that disables a provider for all metrics appears on every metric and keeps the switches per metric', async () => {
    const user = await userWithTwoProviders();
    await patch(user.id, { metrics: { steps: { providers: { apple_health: false } } } });
    const everywhere = await patch(user.id, { providers: { apple_health: false } });
    for (const { providers } of everywhere.body.configuration.metrics)
      expect(providers).toEqual([off('apple_health'), on('health_connect')]);
    const back = await patch(user.id, { providers: { apple_health: true } });
    expect(metricIn(back, 'steps').providers[0]).toEqual(off('apple_health'));
    expect(metricIn(back, 'weight').providers[0]).toEqual(on('apple_health'));
  });

  // @contract consolidation-update/effects: `method: null` removes the override
  test('of a method to null or the catalog default leaves no override', async () => {
    const user = await userWithTwoProviders();
    await patch(user.id, { metrics: { steps: { method: 'sum' }, distance: { method: 'sum' } } });
    const response = await patch(user.id, {
      metrics: { steps: { method: null }, distance: { method: 'priority' } },
    });
    expect(response.body.status).toBe('reconsolidating');
    for (const key of ['steps', 'distance'])
      expect(metricIn(response, key)).toMatchObject({ method: 'priority', overridden: false });
    expect((await storedFor(user)).consolidation).toEqual({});
  });

  test.each([
    // @contract consolidation-update/effects: Equal settings: `status` is `unchanged`; an empty body
    [{}],
    // @contract consolidation-update/effects: Equal settings: `status` is `unchanged`; an empty `metrics`
    [{ metrics: {} }],
    // @contract consolidation-update/effects: Equal settings: `status` is `unchanged`; an empty `providers`
    [{ providers: {} }],
    // @contract consolidation-update/effects: Equal settings: `status` is `unchanged`; an empty metric
    [{ metrics: { steps: {} } }],
    // @contract consolidation-update/effects: Equal settings: `status` is `unchanged`; the default set by null
    [{ metrics: { steps: { method: null } } }],
    // @contract consolidation-update/effects: Equal settings: `status` is `unchanged`; the default set by name
    [{ metrics: { steps: { method: 'priority' } } }],
    // @contract consolidation-update/effects: Equal settings: `status` is `unchanged`; the settings already stored
    [{ metrics: { distance: { method: 'sum', providers: { health_connect: false } } } }],
    // @contract consolidation-update/effects: Equal settings: `status` is `unchanged`; a provider that is already enabled
    [{ providers: { health_connect: true } }],
  ])('%j changes nothing when the settings are already in place', async (body) => {
    const user = await userWithTwoProviders();
    const distance = { method: 'sum', providers: { health_connect: false } };
    await patch(user.id, {
      metrics: { distance, weight: { method: 'avg' } },
      providers: { apple_health: false },
    });
    await app.admin.query('DELETE FROM pgboss.job');
    const before = await storedFor(user);
    const response = await patch(user.id, body);
    expect([response.status, response.body.status]).toEqual([202, 'unchanged']);
    expect(response.body.configuration).toEqual((await get(user.id)).body);
    expect(await storedFor(user)).toEqual(before);
    expect(await jobsOf(user)).toEqual([]);
  });

  // @contract consolidation-update/effects: Equal settings while a recompute is waiting or running: `status` is `reconsolidating`
  test.each([['created'], ['retry'], ['active']])(
    'stays reconsolidating with equal settings while the job of the earlier change is %s',
    async (state) => {
      const user = await userWithTwoProviders();
      const body = { metrics: { steps: { method: 'sum' } } };
      const first = await patch(user.id, body);
      const setState = (next: string) =>
        app.admin.query('UPDATE pgboss.job SET state = $2::pgboss.job_state WHERE singleton_key = $1', [
          user.uuid,
          next,
        ]);
      await setState(state);
      const before = await storedFor(user);
      for (const again of [await patch(user.id, body), await patch(user.id, {})])
        expect([again.status, again.body]).toEqual([202, first.body]);
      expect(await storedFor(user)).toEqual(before);
      expect(await jobsOf(user)).toHaveLength(1);
      await setState('completed');
      expect((await patch(user.id, body)).body.status).toBe('unchanged');
      // The job of another user does not count.
      const other = await userWithTwoProviders();
      await patch(user.id, { metrics: { steps: { method: 'avg' } } });
      expect((await patch(other.id, {})).body.status).toBe('unchanged');
    },
  );

  // @contract consolidation-reset/effects: Reset during a recompute: `status` is `reconsolidating`
  test('stays reconsolidating when a reset is repeated before the recompute', async () => {
    const user = await userWithTwoProviders();
    await patch(user.id, { metrics: { steps: { method: 'sum' } } });
    const first = await reset(user.id);
    expect((await reset(user.id)).body).toEqual(first.body);
    expect(first.body.status).toBe('reconsolidating');
  });

  // @contract consolidation-update/effects: The history is recomputed afterwards
  test('schedules one recompute shortly after, shared with later changes', async () => {
    const user = await userWithTwoProviders();
    for (const method of ['sum', 'avg', 'priority']) {
      await patch(user.id, { metrics: { steps: { method } } });
      await sleep(150); // later changes must not postpone it
    }
    const [job, ...others] = await jobsOf(user);
    expect(others).toEqual([]);
    expect(job!.data).toEqual({ userId: user.uuid });
    expect(job!.wait).toBeGreaterThan(1);
    expect(job!.wait).toBeLessThan(1.3);
  });

  // @contract consolidation-update/effects: Concurrent changes are all applied
  test('is never lost to a concurrent one', async () => {
    const user = await userWithTwoProviders();
    const keys = consolidationKeys
      .filter((key) => findConsolidation(key)!.allowedMethods.includes('avg'))
      .slice(0, 24);
    const responses = await Promise.all([
      ...keys.map((key) => patch(user.id, { metrics: { [key]: { method: 'avg' } } })),
      patch(user.id, { providers: { apple_health: false } }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array.from(responses, () => 202));
    const now = await get(user.id);
    expect(keys.map((key) => metricIn(now, key).method)).toEqual(keys.map(() => 'avg'));
    expect(now.body.providers[0]).toEqual(off('apple_health'));
    expect(await jobsOf(user)).toHaveLength(1);
  });

  // @contract all/caching: A settings change invalidates cached responses
  test('invalidates cached responses about the user', async () => {
    const user = await userWithTwoProviders();
    const before = await storedFor(user);
    await patch(user.id, { metrics: { steps: { method: 'sum' } } });
    expect(Number((await storedFor(user)).data_version)).toBeGreaterThan(Number(before.data_version));
  });
});

describe('202: DELETE', () => {
  // @contract consolidation-reset/effects: 202 with the body of PATCH
  // @contract consolidation-reset/effects: Connected providers and all other data of the user are unchanged
  test('restores the catalog defaults and changes nothing else', async () => {
    const user = await userWithTwoProviders();
    const fresh = (await get(user.id)).body;
    const person = (await app.request('GET', `/v1/users/${user.id}`)).body;
    await patch(user.id, {
      metrics: { steps: { method: 'sum', providers: { apple_health: false } } },
      providers: { health_connect: false },
    });
    const response = await reset(user.id);
    expect(response.status).toBe(202);
    expect(response.body).toEqual({ status: 'reconsolidating', configuration: fresh });
    expect(check('/components/schemas/ConsolidationChange', response.body)).toBeNull();
    expect((await get(user.id)).body).toEqual(fresh);
    expect((await app.request('GET', `/v1/users/${user.id}`)).body).toEqual(person);
    expect(await jobsOf(user)).toHaveLength(1);
  });

  // @contract consolidation-reset/effects: Without settings to reset, `status` is `unchanged`
  test('returns unchanged without settings to reset, whatever its body contains', async () => {
    const user = await userWithTwoProviders();
    const response = await app.request('DELETE', pathOf(user.id), { body: { providers: 'all' } });
    expect([response.status, response.body.status]).toEqual([202, 'unchanged']);
    expect(await jobsOf(user)).toEqual([]);
  });

  // @contract consolidation-reset/effects: Reset works while the account is suspended
  test('works while the account is suspended, as the only one of these operations', async () => {
    const account = await app.createAccount();
    const key = account.liveKey;
    const { body } = await app.request('POST', '/v1/users', { key, body: { external_ref: 'late' } });
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
    app.ctx.credentials.clear();
    expect((await app.request('DELETE', pathOf(body.id), { key })).status).toBe(202);
    expectError(await app.request('GET', pathOf(body.id), { key }), 402, 'payment_required');
    expectError(await app.request('PATCH', pathOf(body.id), { key, body: [] }), 402, 'payment_required');
  });
});

const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`name${at}`, value]));

describe('400', () => {
  const shapes: [string, unknown, string][] = [
    // @contract consolidation-update/errors: 400 `invalid_body`: an array
    // @contract consolidation-preview/fields: 400 `invalid_body` as in PATCH
    ['an array', [], ''],
    // @contract consolidation-update/errors: 400 `invalid_body`: null
    ['null', null, ''],
    // @contract consolidation-update/errors: 400 `invalid_body`: a number
    ['a number', 5, ''],
    // @contract consolidation-update/errors: 400 `invalid_body`: a string
    ['a string', 'steps', ''],
    // @contract consolidation-update/errors: 400 `invalid_body`: an unknown field
    ['an unknown field', { metric: {} }, 'metric'],
    // @contract consolidation-update/errors: 400 `invalid_body`: `metrics` as an array
    ['metrics as an array', { metrics: [] }, 'metrics'],
    // @contract consolidation-update/errors: 400 `invalid_body`: `metrics` as null
    ['metrics as null', { metrics: null }, 'metrics'],
    // @contract consolidation-update/errors: 400 `invalid_body`: a metric as a string
    ['a metric as a string', { metrics: { steps: 'max' } }, 'metrics.steps'],
    // @contract consolidation-update/errors: 400 `invalid_body`: a metric as null
    ['a metric as null', { metrics: { steps: null } }, 'metrics.steps'],
    // @contract consolidation-update/errors: 400 `invalid_body`: an unknown field of a metric
    ['an unknown field of a metric', { metrics: { steps: { way: 'max' } } }, 'metrics.steps.way'],
    // @contract consolidation-update/errors: 400 `invalid_body`: an unknown method
    ['an unknown method', { metrics: { steps: { method: 'median' } } }, 'metrics.steps.method'],
    // @contract consolidation-update/errors: 400 `invalid_body`: a method in uppercase
    ['a method in uppercase', { metrics: { steps: { method: 'MAX' } } }, 'metrics.steps.method'],
    // @contract consolidation-update/errors: 400 `invalid_body`: a method as a number
    ['a method as a number', { metrics: { steps: { method: 1 } } }, 'metrics.steps.method'],
    // @contract consolidation-update/errors: 400 `invalid_body`: a method as a list
    ['a method as a list', { metrics: { steps: { method: ['max'] } } }, 'metrics.steps.method'],
    // @contract consolidation-update/errors: 400 `invalid_body`: `providers` as a list
    ['providers as a list', { providers: ['oura'] }, 'providers'],
    // @contract consolidation-update/errors: 400 `invalid_body`: a switch as a string
    ['a switch as a string', { providers: { oura: 'false' } }, 'providers.oura'],
    // @contract consolidation-update/errors: 400 `invalid_body`: a switch as null
    ['a switch as null', { providers: { oura: null } }, 'providers.oura'],
    // @contract consolidation-update/errors: 400 `invalid_body`: a switch of a metric as a number
    [
      'a switch of a metric as a number',
      { metrics: { steps: { providers: { oura: 0 } } } },
      'metrics.steps.providers.oura',
    ],
    // @contract consolidation-update/errors: 400 `invalid_body`: an invalid value under an unusual name
    ['an invalid value behind a line break', { providers: { 'a\nb': 5 } }, 'providers.a\nb'],
    // @contract consolidation-update/errors: 400 `invalid_body`: more metrics than the catalog can have
    ['too many metrics', { metrics: many(201, {}) }, 'metrics'],
    // @contract consolidation-update/errors: 400 `invalid_body`: more providers than can exist
    ['too many providers', { providers: many(101, true) }, 'providers'],
    // @contract consolidation-update/errors: 400 `invalid_body`: a name that is too long
    ['a name that is too long', { providers: { ['p'.repeat(65)]: true } }, `providers.${'p'.repeat(65)}`],
  ];

  test.each(shapes)('invalid_body for %s, with the location in details', async (_name, body, name) => {
    const user = await createPhoneUser(app);
    for (const response of [await patch(user.id, body), await preview(user.id, body)]) {
      expectError(response, 400, 'invalid_body');
      const [field, ...others] = response.body.details.fields;
      expect(others).toEqual([]);
      expect(field).toMatchObject({ in: 'body', name });
      expect(field.problem).not.toBe('');
    }
  });

  // @contract consolidation-update/errors: 400 `invalid_body`: no body
  test('invalid_body without a body', async () => {
    expectError(await app.request('PATCH', pathOf(missing)), 400, 'invalid_body');
  });

  // @contract consolidation-update/errors: 400 `invalid_body`: malformed JSON, an empty body, or another content type
  // @contract consolidation-preview/fields: 400 `invalid_body` as in PATCH
  test('invalid_body for malformed JSON, an empty body and another content type', async () => {
    for (const [method, path] of [
      ['PATCH', pathOf(missing)],
      ['POST', `${pathOf(missing)}/preview`],
    ] as const) {
      const tooDeep = '['.repeat(40) + ']'.repeat(40);
      for (const rawBody of ['{"metrics":', '', '{"metrics":{},}', tooDeep])
        expectError(await app.request(method, path, { rawBody }), 400, 'invalid_body');
      const headers = { 'content-type': 'text/plain' };
      const response = await app.request(method, path, { rawBody: '{}', headers });
      expectError(response, 400, 'invalid_body');
      expect(response.body.details.fields).toMatchObject([{ in: 'body', name: '' }]);
    }
  });

  // @contract consolidation-update/errors: 400 `invalid_request`: a query parameter
  test('invalid_request for an unknown parameter', async () => {
    for (const [method, path] of [
      ['GET', pathOf(missing)],
      ['PATCH', pathOf(missing)],
      ['DELETE', pathOf(missing)],
      ['POST', `${pathOf(missing)}/preview`],
    ] as const) {
      const body = method === 'PATCH' || method === 'POST' ? { body: {} } : {};
      expectError(await app.request(method, `${path}?verbose=1`, body), 400, 'invalid_request', {
        fields: [{ in: 'query', name: 'verbose', problem: 'is not supported by this endpoint' }],
      });
    }
  });

  test.each([
    // @contract consolidation-preview/fields: 400: `from_date` that is not a calendar date
    ['?from_date=2026-02-30', 'from_date'],
    // @contract consolidation-preview/fields: 400: `to_date` that is not a date
    ['?to_date=tomorrow', 'to_date'],
    // @contract consolidation-preview/fields: 400: `from_date` after `to_date`
    ['?from_date=2026-03-02&to_date=2026-03-01', 'from_date'],
    // @contract consolidation-preview/fields: 400: a range that is too long
    ['?from_date=2025-01-01&to_date=2026-03-01', 'to_date'],
    // @contract consolidation-preview/fields: 400: Form 1 dates
    ['?start_date=2026-03-01', 'start_date'],
  ])('invalid_request for a preview with %s', async (query, name) => {
    const response = await preview(missing, {}, query);
    expectError(response, 400, 'invalid_request');
    expect(response.body.details.fields[0]).toMatchObject({ in: 'query', name });
  });
});

describe('422', () => {
  let user: PhoneUser;
  beforeAll(async () => {
    user = await userWithTwoProviders();
  });

  const refused = async (body: object, code: string, details: object) => {
    const before = await storedFor(user);
    expectError(await patch(user.id, body), 422, code, details);
    expectError(await preview(user.id, body), 422, code, details);
    expect(await storedFor(user)).toEqual(before);
    expect(await jobsOf(user)).toEqual([]);
  };

  // @contract consolidation-update/errors: 422 `invalid_metric`: keys that are not in the catalog; the error names all of them
  // @contract consolidation-preview/fields: 422 `invalid_metric`, `invalid_method`, `invalid_provider` as in PATCH
  test('invalid_metric names all keys that are not in the catalog', () =>
    refused(
      { metrics: { steps: { method: 'sum' }, moods: {}, deep_sleep: { method: 'avg' }, recovery_score: {} } },
      'invalid_metric',
      {
        metrics: [{ key: 'moods' }, { key: 'deep_sleep', group: 'sleep_stages' }, { key: 'recovery_score' }],
      },
    ));

  // @contract consolidation-update/errors: 422 `invalid_metric`: a member of a group; the error names the group
  test('invalid_metric names the group of a single member', () =>
    refused({ metrics: { blood_pressure_systolic: { method: 'avg' } } }, 'invalid_metric', {
      metrics: [{ key: 'blood_pressure_systolic', group: 'blood_pressure' }],
      group: 'blood_pressure',
    }));

  test.each([
    // @contract consolidation-update/errors: 422 `invalid_metric`: names of built-in object properties
    'constructor',
    // @contract consolidation-update/errors: 422 `invalid_metric`: names of built-in object properties
    'toString',
    'hasOwnProperty',
    // @contract consolidation-update/errors: 422 `invalid_metric`: an empty key
    '',
  ])('invalid_metric for the key "%s"', (key) =>
    refused({ metrics: { [key]: { method: 'sum' } } }, 'invalid_metric', { metrics: [{ key }] }),
  );

  // @contract consolidation-update/errors: 422 `invalid_method`: methods that are not allowed; the error lists the allowed ones
  // @contract consolidation-preview/fields: 422 `invalid_metric`, `invalid_method`, `invalid_provider` as in PATCH
  test('invalid_method names all methods that are not allowed, and the allowed ones', () =>
    refused(
      { metrics: { steps: { method: 'sum' }, weight: { method: 'sum' }, sleep_stages: { method: 'max' } } },
      'invalid_method',
      {
        metrics: [
          { key: 'weight', method: 'sum', allowed_methods: ['priority', 'max', 'avg'] },
          { key: 'sleep_stages', method: 'max', allowed_methods: ['priority', 'avg'] },
        ],
      },
    ));

  // @contract consolidation-update/errors: 422 `invalid_provider`: providers that are not connected; the error lists the connected ones
  // @contract consolidation-preview/fields: 422 `invalid_metric`, `invalid_method`, `invalid_provider` as in PATCH
  test('invalid_provider names all providers that are not connected, and the connected ones', () =>
    refused(
      {
        metrics: { steps: { method: 'sum', providers: { whoop: true, apple_health: false } } },
        providers: { oura: false, constructor: false, health_connect: false },
      },
      'invalid_provider',
      { providers: ['constructor', 'oura', 'whoop'], connected: ['apple_health', 'health_connect'] },
    ));

  // @contract consolidation-update/errors: The body's shape is checked before metrics, metrics before methods, methods before providers
  test('checks the shape first, then metrics, methods and providers', async () => {
    const metrics = { moods: {}, weight: { method: 'sum' } };
    const providers = { oura: false };
    expectError(await patch(user.id, { metrics, providers, more: 1 }), 400, 'invalid_body');
    expectError(await patch(user.id, { metrics, providers }), 422, 'invalid_metric');
    const { moods: _, ...known } = metrics;
    expectError(await patch(user.id, { metrics: known, providers }), 422, 'invalid_method');
    expectError(await patch(user.id, { providers }), 422, 'invalid_provider');
  });
});

describe('404 user_not_found', () => {
  test.each([missing, 'user_x', 'unknown', '%00'])('for %s on all four operations', async (id) => {
    const responses = [await get(id), await patch(id, {}), await reset(id), await preview(id, {})];
    for (const response of responses) {
      expectError(response, 404, 'user_not_found', {});
      expect(response.body.message).toMatch(/live or a sandbox key/);
    }
  });

  test('for a user of the other environment and for a deleted one', async () => {
    const user = await createPhoneUser(app);
    const sandbox = { key: app.account.sandboxKey };
    expectError(await app.request('GET', pathOf(user.id), sandbox), 404, 'user_not_found');
    expectError(await app.request('PATCH', pathOf(user.id), { ...sandbox, body: {} }), 404, 'user_not_found');
    await app.request('DELETE', `/v1/users/${user.id}`);
    for (const response of [await get(user.id), await patch(user.id, {}), await reset(user.id)])
      expectError(response, 404, 'user_not_found');
  });

  // @contract consolidation-update/errors: 404 `user_not_found` comes after all checks that do not need the user
  test('comes after checks that do not need the user, and before those that do', async () => {
    expectError(await patch(missing, { more: 1 }), 400, 'invalid_body');
    expectError(await patch('unknown', { metrics: { moods: {} } }), 422, 'invalid_metric');
    expectError(await patch(missing, { metrics: { weight: { method: 'sum' } } }), 422, 'invalid_method');
    expectError(await patch(missing, { providers: { oura: false } }), 404, 'user_not_found');
    expectError(await preview(missing, { providers: { oura: false } }), 404, 'user_not_found');
  });
});

test('returns 403 for a user token, also for its own user', async () => {
  const { id } = await createPhoneUser(app);
  const { body } = await app.request('POST', '/v1/auth/user-token', { body: { user_id: id } });
  for (const [method, path] of [
    ['GET', pathOf(id)],
    ['PATCH', pathOf(id)],
    ['DELETE', pathOf(id)],
    ['POST', `${pathOf(id)}/preview`],
  ] as const)
    expectError(
      await app.request(method, path, { key: body.token, ...(method === 'GET' ? {} : { body: {} }) }),
      403,
      'insufficient_scope',
    );
});
