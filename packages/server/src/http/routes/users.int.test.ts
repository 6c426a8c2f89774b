import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretToken } from '../../credentials/secret-token.ts';
import { formatId, parseId } from '../../ids.ts';
import { updateAccount } from '../../services/accounts/update-account.ts';
import {
  startTestApp,
  type TestAccount,
  type TestResponse,
  type TestApp,
  type TestRequest,
} from '../../test/apps/test-app.ts';
import { testActor } from '../../test/acting.ts';

let app: TestApp;
let count = 0;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const fresh = () => `ref-${(count += 1)}`;
const missingId = formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f');
const forms = ['1', '2'] as const;
type FormName = (typeof forms)[number];

/** The user in a response of either form. */
const userIn = (form: FormName, response: TestResponse) =>
  form === '1' ? response.body.data : response.body;
const reference = (form: FormName, value: string) =>
  form === '1' ? { reference_id: value } : { external_ref: value };

function inForm(
  form: FormName,
  method: string,
  path: string,
  options: TestRequest = {},
): Promise<TestResponse> {
  return app.request(method, path, { ...options, headers: { 'api-form': form, ...options.headers } });
}

async function newUser(body: object = {}, key?: string): Promise<string> {
  const response = await app.request('POST', '/v1/users', {
    body: { reference_id: fresh(), ...body },
    ...(key ? { key } : {}),
  });
  expect(response.status).toBe(201);
  return response.body.data.id;
}

function expectError(response: TestResponse, status: number, code: string): void {
  expect({ status: response.status, error: response.body.error }).toEqual({ status, error: code });
  expect(Object.keys(response.body).toSorted()).toEqual(['details', 'error', 'message']);
  expect(response.body.details).toBeTypeOf('object');
  expect(response.headers.get('request-id')).toMatch(/^req_/);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
}

/** The five operations, each as a request that would succeed for the given user. */
const calls: {
  name: string;
  method: string;
  path: (id: string) => string;
  body?: (form: FormName) => object;
  takesId: boolean;
}[] = [
  {
    name: 'create',
    method: 'POST',
    path: () => '/v1/users',
    body: (form) => reference(form, fresh()),
    takesId: false,
  },
  { name: 'list', method: 'GET', path: () => '/v1/users', takesId: false },
  { name: 'get', method: 'GET', path: (id) => `/v1/users/${id}`, takesId: true },
  {
    name: 'update',
    method: 'PATCH',
    path: (id) => `/v1/users/${id}`,
    body: () => ({ timezone: 'Asia/Tokyo' }),
    takesId: true,
  },
  { name: 'delete', method: 'DELETE', path: (id) => `/v1/users/${id}`, takesId: true },
];

function inTokyoFrom(timezone_effective_from: unknown): Record<string, unknown> {
  return { timezone: 'Asia/Tokyo', timezone_effective_from };
}

const invalidUpdates: [string, Record<string, unknown>][] = [
  ['an unknown time zone', { timezone: 'Nowhere' }],
  ['a time zone effective from an impossible date', inTokyoFrom('2026-02-30')],
  ['a time zone effective from a word', inTokyoFrom('always')],
  ['a time zone effective from nothing', inTokyoFrom('')],
  ['a time zone effective from a number', inTokyoFrom(20_000)],
  ['a time zone effective from null', inTokyoFrom(null)],
  ['a time zone effective in the future', inTokyoFrom('2199-01-01')],
  ['an effective date without a time zone', { timezone_effective_from: 'all' }],
  ['a future birth date', { profile: { birth_date: '2999-01-01' } }],
  ['an empty reference', { reference_id: '' }],
];

describe.each(forms)('in Form %s', (form) => {
  describe('create', () => {
    test('returns 201 with the user, its profile, no devices and no sync time', async () => {
      const ref = fresh();
      const profile = {
        birth_date: '1990-04-12',
        sex: 'female',
        height_cm: 172,
        weight_kg: 64.5,
        max_heart_rate: 188,
        goals: { steps: 9000, REM: 90 },
      };
      const response = await inForm(form, 'POST', '/v1/users', {
        body: { ...reference(form, ref), timezone: 'Europe/Berlin', profile },
      });
      expect(response.status).toBe(201);
      expect(response.headers.get('api-form')).toBe(form);
      expect(response.headers.get('vary')).toBe('Authorization, API-Form');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(userIn(form, response)).toEqual({
        id: expect.stringMatching(/^user_[0-9a-z]{26}$/),
        reference_id: ref,
        external_ref: ref,
        timezone: 'Europe/Berlin',
        status: 'active',
        score_status: 'pending',
        last_sync_at: null,
        last_score_at: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        profile,
        devices: [],
        sync: { state: 'never_synced', last_batch_at: null, pending_batches: 0 },
      });
    });

    test('returns 201 for a reference of 255 characters in any script', async () => {
      const ref = `${form}${'👩'.repeat(254)}`;
      const response = await inForm(form, 'POST', '/v1/users', { body: reference(form, ref) });
      expect(response.status).toBe(201);
      expect(userIn(form, response)).toMatchObject({ reference_id: ref, timezone: null });
    });

    test('returns 201 when both names are equal, and ignores unknown fields', async () => {
      const ref = fresh();
      const body = {
        reference_id: ref,
        external_ref: ref,
        favorite_color: 'teal',
        profile: { shoe_size: 41 },
      };
      const response = await inForm(form, 'POST', '/v1/users', { body });
      expect(response.status).toBe(201);
      expect(userIn(form, response).profile).not.toHaveProperty('shoe_size');
      const stored = await app.admin.query('SELECT profile FROM users WHERE reference_id = $1', [ref]);
      expect(stored.rows[0].profile).toEqual({});
    });

    test.each([
      ['no reference', {}],
      ['an empty reference', { ref: '' }],
      ['a reference of 256 characters', { ref: 'x'.repeat(256) }],
      ['a reference that is a number', { ref: 7 }],
      ['a reference that is null', { ref: null }],
      ['a NUL in the reference', { ref: 'a\u0000b' }],
      ['half a surrogate pair', { ref: '\ud800' }],
      ['an unknown time zone', { timezone: 'Mars/Olympus' }],
      ['an offset as time zone', { timezone: '+02:00' }],
      ['a time zone that is a number', { timezone: 1 }],
      ['a profile that is a list', { profile: [] }],
      ['a birth date that does not exist', { profile: { birth_date: '1990-02-30' } }],
      ['a birth date in the future', { profile: { birth_date: '2999-01-01' } }],
      ['an implausible birth date', { profile: { birth_date: '1850-01-01' } }],
      ['an unknown sex', { profile: { sex: 'robot' } }],
      ['an impossible height', { profile: { height_cm: 1000 } }],
      ['a height as text', { profile: { height_cm: '172' } }],
      ['an impossible weight', { profile: { weight_kg: -1 } }],
      ['an impossible heart rate', { profile: { max_heart_rate: 900 } }],
      ['a goal that is not a number', { profile: { goals: { steps: 'many' } } }],
      ['a goal with a hostile name', { profile: { goals: { '__proto__x y': 1 } } }],
      [
        'too many goals',
        { profile: { goals: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`g${at}`, 1])) } },
      ],
    ])('returns 400 for %s', async (_name, fields: Record<string, unknown>) => {
      const { ref, ...rest } = fields;
      const base =
        'ref' in fields
          ? { [form === '1' ? 'reference_id' : 'external_ref']: ref }
          : reference(form, fresh());
      const body = _name === 'no reference' ? {} : { ...base, ...rest };
      const response = await inForm(form, 'POST', '/v1/users', { body });
      expectError(response, 400, 'invalid_request');
      expect(response.body.details.fields[0]).toMatchObject({ in: 'body' });
    });

    test('returns 400 when the two names of the reference differ', async () => {
      const response = await inForm(form, 'POST', '/v1/users', {
        body: { reference_id: 'a', external_ref: 'b' },
      });
      expectError(response, 400, 'invalid_request');
      expect(response.body.details.fields[0].name).toBe('external_ref');
    });

    test.each([
      ['malformed JSON', { rawBody: '{"reference_id":' }],
      ['no body', { rawBody: '' }],
      ['a list', { rawBody: '[]' }],
      ['null', { rawBody: 'null' }],
      [
        'an invalid number',
        { rawBody: '{"reference_id":"n","external_ref":"n","profile":{"height_cm":1e999}}' },
      ],
      ['prototype pollution', { rawBody: '{"__proto__":{"reference_id":"x"}}' }],
      ['deep nesting', { rawBody: `{"reference_id":"d","x":${'['.repeat(40)}${']'.repeat(40)}}` }],
      ['another content type', { rawBody: 'reference_id=a', headers: { 'content-type': 'text/plain' } }],
    ])('returns 400 for %s', async (_name, options: TestRequest) => {
      expectError(await inForm(form, 'POST', '/v1/users', options), 400, 'invalid_request');
    });

    test('returns 409 for a reference that is taken in this environment, and only there', async () => {
      const ref = fresh();
      expect((await inForm(form, 'POST', '/v1/users', { body: reference(form, ref) })).status).toBe(201);
      expectError(
        await inForm(form, 'POST', '/v1/users', { body: reference(form, ref) }),
        409,
        'reference_id_taken',
      );
      const inSandbox = await inForm(form, 'POST', '/v1/users', {
        body: reference(form, ref),
        key: app.account.sandboxKey,
      });
      expect(inSandbox.status).toBe(201);
      const other = await app.createAccount();
      expect(
        (await inForm(form, 'POST', '/v1/users', { body: reference(form, ref), key: other.liveKey })).status,
      ).toBe(201);
    });

    test('returns 413 for a body over the limit', async () => {
      const body = { ...reference(form, fresh()), padding: 'x'.repeat(1_100_000) };
      expectError(await inForm(form, 'POST', '/v1/users', { body }), 413, 'payload_too_large');
    });
  });

  describe('get', () => {
    test('returns 200 with profile, devices in order, and sync state', async () => {
      const id = await newUser({ profile: { sex: 'other' } });
      const uuid = parseId('user', id)!;
      await app.insertDevice(uuid, {
        id: '0193b7e2-5c1f-7d4e-9f5a-00000000000a'.replace('a', form),
        provider: 'oura',
        status: 'active',
      });
      await app.insertDevice(uuid, {
        id: '0193b7e2-5c1f-7d4e-9f5a-0000000000b0'.replace('b0', `b${form}`),
        provider: 'withings',
        status: 'pending',
      });
      await app.admin.query(
        'INSERT INTO pending_batches (partition, user_id, batch_id, bytes) VALUES (partition_of($1), $1, gen_random_uuid(), 1)',
        [uuid],
      );
      await app.admin.query(`UPDATE users SET last_batch_at = '2026-03-01T10:00:00.5Z' WHERE id = $1`, [
        uuid,
      ]);
      const response = await inForm(form, 'GET', `/v1/users/${id}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      const user = userIn(form, response);
      expect(user.devices).toEqual([
        {
          id: expect.stringMatching(/^dev_/),
          provider: 'oura',
          status: 'active',
          connected_at: expect.stringMatching(/Z$/),
          last_sync_at: null,
          sync: null,
        },
        expect.objectContaining({ provider: 'withings', status: 'pending' }),
      ]);
      expect(user.sync).toEqual({
        state: 'processing',
        last_batch_at: '2026-03-01T10:00:00.500Z',
        pending_batches: 1,
      });
      expect(user.profile.sex).toBe('other');
      await app.admin.query('DELETE FROM pending_batches WHERE user_id = $1', [uuid]);
      expect(userIn(form, await inForm(form, 'GET', `/v1/users/${id}`)).sync.state).toBe('up_to_date');
    });

    test('returns 400 for an unknown query parameter', async () => {
      expectError(
        await inForm(form, 'GET', `/v1/users/${await newUser()}?verbose=1`),
        400,
        'invalid_request',
      );
    });
  });

  describe('update', () => {
    test('returns 200 with only the given fields changed', async () => {
      const id = await newUser({
        timezone: 'Europe/Berlin',
        profile: { sex: 'male', height_cm: 180, goals: { steps: 1 } },
      });
      const first = await inForm(form, 'PATCH', `/v1/users/${id}`, { body: { profile: { height_cm: 181 } } });
      expect(first.status).toBe(200);
      expect(userIn(form, first)).toMatchObject({
        timezone: 'Europe/Berlin',
        profile: { sex: 'male', height_cm: 181, goals: { steps: 1 } },
      });
      const body = { timezone: null, profile: { sex: null, goals: { sleep: 480 } } };
      const second = await inForm(form, 'PATCH', `/v1/users/${id}`, { body });
      expect(userIn(form, second)).toMatchObject({
        timezone: null,
        profile: { sex: null, height_cm: 181, goals: { sleep: 480 } },
      });
      const ref = fresh();
      const third = await inForm(form, 'PATCH', `/v1/users/${id}`, { body: reference(form, ref) });
      expect(userIn(form, third)).toMatchObject({ reference_id: ref, external_ref: ref });
      const read = await inForm(form, 'GET', `/v1/users/${id}`);
      expect(userIn(form, read)).toEqual(userIn(form, third));
    });

    test('returns 200 without a change for an empty body', async () => {
      const id = await newUser();
      const before = userIn(form, await inForm(form, 'GET', `/v1/users/${id}`));
      expect(userIn(form, await inForm(form, 'PATCH', `/v1/users/${id}`, { body: {} }))).toEqual(before);
    });

    test.each(invalidUpdates)('returns 400 for %s', async (_name, body) => {
      const renamed = 'reference_id' in body ? reference(form, '') : body;
      expectError(
        await inForm(form, 'PATCH', `/v1/users/${await newUser()}`, { body: renamed }),
        400,
        'invalid_request',
      );
    });

    test('returns 400 without a body', async () => {
      expectError(
        await inForm(form, 'PATCH', `/v1/users/${await newUser()}`, { rawBody: '' }),
        400,
        'invalid_request',
      );
    });

    test('returns 409 for the reference of another user', async () => {
      const usedReference = fresh();
      await newUser({ reference_id: usedReference });
      const id = await newUser();
      expectError(
        await inForm(form, 'PATCH', `/v1/users/${id}`, { body: reference(form, usedReference) }),
        409,
        'reference_id_taken',
      );
    });
  });

  describe('delete', () => {
    test('returns 202, then 404 everywhere, and frees the reference', async () => {
      const ref = fresh();
      const id = await newUser({ reference_id: ref });
      const response = await inForm(form, 'DELETE', `/v1/users/${id}`);
      expect(response.status).toBe(202);
      expect(userIn(form, response)).toEqual({ id, status: 'deleting' });
      for (const call of calls.filter(({ takesId }) => takesId)) {
        const again = await inForm(
          form,
          call.method,
          call.path(id),
          call.body ? { body: call.body(form) } : {},
        );
        expectError(again, 404, 'not_found');
      }
      expect((await app.request('GET', `/v1/users/${id}/devices`)).status).toBe(404);
      expect((await app.request('POST', '/v1/auth/user-token', { body: { user_id: id } })).status).toBe(404);
      expect((await app.request('GET', `/v1/users?external_ref=${ref}`)).body.data).toEqual([]);
      expect((await inForm(form, 'POST', '/v1/users', { body: reference(form, ref) })).status).toBe(201);
    });

    test('deletes once for concurrent requests', async () => {
      const id = await newUser();
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => inForm(form, 'DELETE', `/v1/users/${id}`)),
      );
      expect(responses.map((response) => response.status).toSorted()).toEqual([
        202, 404, 404, 404, 404, 404, 404, 404,
      ]);
    });
  });

  test.each(calls.filter(({ takesId }) => takesId))(
    'returns the same 404 for a missing, malformed and foreign user: $name',
    async ({ method, path, body }) => {
      const send = (id: string) => inForm(form, method, path(id), body ? { body: body(form) } : {});
      const other = await app.createAccount();
      const foreign = await newUser({}, other.liveKey);
      const sandboxed = await newUser({}, app.account.sandboxKey);
      const bodies = [];
      for (const id of [
        missingId,
        foreign,
        sandboxed,
        'user_1',
        'x',
        encodeURIComponent('user_ä'),
        '%00',
        'a'.repeat(150),
      ]) {
        const response = await send(id);
        expectError(response, 404, 'not_found');
        const shown = decodeURIComponent(id).replace('\u0000', '\\u0000');
        const requestId = response.headers.get('request-id')!;
        bodies.push(JSON.stringify(response.body).replace(requestId, 'REQUEST').replace(shown, 'ID'));
      }
      expect(new Set(bodies).size).toBe(1);
      expect(bodies[0]).toContain('User ID does not exist');
    },
  );

  describe.each(calls)('every operation: $name', ({ name, method, path, body }) => {
    const send = (id: string, options: TestRequest = {}) =>
      inForm(form, method, path(id), { ...(body ? { body: body(form) } : {}), ...options });

    test('returns 401 without a credential and for a well-formed unknown one', async () => {
      const id = await newUser();
      const none = await send(id, { key: '' });
      expectError(none, 401, 'missing_token');
      expect(none.headers.get('ratelimit')).toBeNull();
      expectError(await send(id, { key: createSecretToken('sk_live_') }), 401, 'invalid_token');
    });

    test('returns 402 while the account is suspended, except for deletion', async () => {
      const account = await app.createAccount();
      const id = await newUser({}, account.liveKey);
      await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
      app.ctx.credentials.clear();
      const response = await send(id, { key: account.liveKey });
      if (name === 'delete') expect(response.status).toBe(202);
      else expectError(response, 402, 'payment_required');
    });

    test('returns 403 for a user token', async () => {
      const id = await newUser();
      const issued = await app.request('POST', '/v1/auth/user-token', { body: { user_id: id } });
      expectError(await send(id, { key: issued.body.token }), 403, 'insufficient_scope');
    });

    test('returns 429 after the burst, with the time to wait', async () => {
      const account = await app.createAccount();
      const id = await newUser({}, account.liveKey);
      const refused: TestResponse[] = [];
      // On a busy machine the bucket refills while requests drain it, so the loop runs until it is empty.
      for (let round = 0; round < 30 && refused.length === 0; round += 1) {
        const responses = await Promise.all(
          Array.from({ length: 300 }, () => send(id, { key: account.liveKey })),
        );
        refused.push(...responses.filter((response) => response.status === 429));
      }
      expect(refused.length).toBeGreaterThan(0);
      expectError(refused[0]!, 429, 'rate_limited');
      expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(refused[0]!.headers.get('ratelimit-policy')).toBe('"key";q=200;w=2');
      expect(refused[0]!.headers.get('ratelimit')).toMatch(/^"key";r=0;t=2$/);
    });

    test('returns 400 for an invalid API-Form', async () => {
      expectError(await send(await newUser(), { headers: { 'api-form': '9' } }), 400, 'invalid_request');
    });
  });
});

describe('list', () => {
  let account: TestAccount;
  const ids: string[] = [];
  const list = (query: string, options: TestRequest = {}) =>
    app.request('GET', `/v1/users${query}`, { key: account.liveKey, ...options });

  beforeAll(async () => {
    account = await app.createAccount();
    for (let at = 0; at < 25; at += 1)
      ids.unshift(await newUser({ reference_id: `r${at}` }, account.liveKey));
    await newUser({ reference_id: 'sandboxed' }, account.sandboxKey);
  });

  test('Form 1: lists newest first, 20 per page, with the exact total', async () => {
    const first = await list('');
    expect(first.body.meta).toEqual({ page: 1, per_page: 20, total: 25 });
    expect(first.body.data.map((user: { id: string }) => user.id)).toEqual(ids.slice(0, 20));
    expect(Object.keys(first.body.data[0]).toSorted()).toEqual([
      'created_at',
      'external_ref',
      'id',
      'last_score_at',
      'last_sync_at',
      'reference_id',
      'score_status',
      'status',
      'timezone',
    ]);
    const second = await list('?page=2');
    expect(second.body.data.map((user: { id: string }) => user.id)).toEqual(ids.slice(20));
    expect((await list('?page=3&per_page=10')).body.meta).toEqual({ page: 3, per_page: 10, total: 25 });
    const beyond = await list('?page=900');
    expect(beyond.body).toEqual({ data: [], meta: { page: 900, per_page: 20, total: 25 } });
  });

  test('Form 1: filters by reference', async () => {
    const response = await list('?reference_id=r3');
    expect(response.body.meta).toEqual({ page: 1, per_page: 20, total: 1 });
    expect(response.body.data[0].external_ref).toBe('r3');
    expect((await list('?reference_id=r3&page=2')).body).toEqual({
      data: [],
      meta: { page: 2, per_page: 20, total: 1 },
    });
    expect((await list('?reference_id=unknown')).body.meta.total).toBe(0);
    expect((await list('?reference_id=sandboxed')).body.meta.total).toBe(0);
  });

  test('Form 2: returns every user once by cursor during inserts and deletions', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const response: TestResponse = await list(cursor ? `?cursor=${cursor}` : '?limit=4');
      expect(response.body.data.length).toBeLessThanOrEqual(4);
      seen.push(...response.body.data.map((user: { id: string }) => user.id));
      cursor = response.body.next_cursor;
      const passing = await newUser({}, account.liveKey);
      await app.request('DELETE', `/v1/users/${passing}`, { key: account.liveKey });
      pages += 1;
    } while (cursor);
    expect(seen).toEqual(ids);
    expect(pages).toBe(7);
    expect((await list('')).body.meta.total).toBe(25);
  });

  test('Form 2: returns 50 per page by default, null at the end, and exact matches by external_ref', async () => {
    const all = await list('', { headers: { 'api-form': '2' } });
    expect(all.body.data).toHaveLength(25);
    expect(all.body.next_cursor).toBeNull();
    expect((await list('?limit=25')).body.next_cursor).toBeNull();
    expect((await list('?limit=24')).body.next_cursor).toBeTypeOf('string');
    const one = await list('?external_ref=r7');
    expect(one.body).toEqual({ data: [expect.objectContaining({ reference_id: 'r7' })], next_cursor: null });
    expect((await list('?external_ref=R7')).body.data).toEqual([]);
  });

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'page=0x10',
    'page=1e3',
    'page=1&page=2',
    'per_page=0',
    'per_page=101',
    'reference_id=',
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=',
    'limit=1&limit=2',
    'unknown=1',
    'external_ref=%00',
    `external_ref=${'x'.repeat(256)}`,
    'external_ref=a&external_ref=b',
    `cursor=${'x'.repeat(2049)}`,
    'reference_id[]=a',
  ])('returns 400 invalid_request for ?%s', async (query) => {
    const response = await list(`?${query}`);
    expectError(response, 400, 'invalid_request');
    expect(response.body.details.fields[0]).toMatchObject({
      in: 'query',
      name: expect.stringMatching(/\w/),
      problem: expect.stringMatching(/\w/),
    });
  });

  test.each(['page=1&limit=1', 'reference_id=a&external_ref=a', 'page=1&cursor=x'])(
    'returns 400 mixed_forms for ?%s',
    async (query) => {
      const response = await list(`?${query}`);
      expectError(response, 400, 'mixed_forms');
      expect(response.body.details).toEqual({
        form_1: [expect.any(String)],
        form_2: [expect.any(String)],
        request_id: expect.any(String),
      });
    },
  );

  test('returns 422 invalid_filter for an empty external_ref', async () => {
    expectError(await list('?external_ref='), 422, 'invalid_filter');
  });

  test('starts from the beginning with an empty cursor, in Form 2', async () => {
    const response = await list('?limit=2&cursor=');
    expect([response.status, response.headers.get('api-form')]).toEqual([200, '2']);
    expect(response.body).toEqual((await list('?limit=2')).body);
    expect((await list('?cursor=')).headers.get('api-form')).toBe('2');
  });

  test('returns 400 invalid_cursor for a cursor that was edited, belongs to another key, or comes with other parameters', async () => {
    const { next_cursor: cursor } = (await list('?limit=2')).body;
    const edited = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA');
    for (const query of [
      'cursor=x',
      `cursor=${edited}`,
      `cursor=${cursor}&limit=3`,
      `cursor=${cursor}&external_ref=r1`,
    ]) {
      expectError(await list(`?${query}`), 400, 'invalid_cursor');
    }
    expectError(await list(`?cursor=${cursor}`, { key: account.sandboxKey }), 400, 'invalid_cursor');
    expectError(await list(`?cursor=${cursor}`, { key: app.account.liveKey }), 400, 'invalid_cursor');
    expect((await list(`?cursor=${cursor}&limit=2`)).status).toBe(200);
  });
});

describe('default form of the account', () => {
  test('applies to requests that do not select one', async () => {
    const account = await app.createAccount();
    const id = await newUser({}, account.liveKey);
    expect((await app.request('GET', `/v1/users/${id}`, { key: account.liveKey })).body).toHaveProperty(
      'data.id',
      id,
    );
    await updateAccount(app.ctx, testActor, account.uuid, { defaultForm: 2 });
    app.ctx.credentials.clear();
    const response = await app.request('GET', `/v1/users/${id}`, { key: account.liveKey });
    expect(response.body).toHaveProperty('id', id);
    expect(response.headers.get('api-form')).toBe('2');
  });
});

describe('user limit of the plan', () => {
  test('holds exactly under concurrent creates, and deletion frees a slot', async () => {
    const account = await app.createAccount();
    await updateAccount(app.ctx, testActor, account.uuid, { userLimit: 5 });
    app.ctx.credentials.clear();
    const create = () =>
      app.request('POST', '/v1/users', { key: account.liveKey, body: { reference_id: fresh() } });
    const responses = await Promise.all(Array.from({ length: 12 }, create));
    expect(responses.filter((response) => response.status === 201)).toHaveLength(5);
    const refused = responses.filter((response) => response.status !== 201);
    for (const response of refused) expectError(response, 402, 'payment_required');
    expect(refused[0]!.body.details).toEqual({ user_limit: 5, request_id: expect.any(String) });
    const success = responses.find((response) => response.status === 201)!;
    await app.request('DELETE', `/v1/users/${success.body.data.id}`, { key: account.liveKey });
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(402);
  });
});

describe('total', () => {
  test('stays exact under concurrent creates, deletes and failed creates', async () => {
    const account = await app.createAccount();
    const create = (reference_id: string) =>
      app.request('POST', '/v1/users', { key: account.liveKey, body: { reference_id } });
    const responses = await Promise.all(Array.from({ length: 60 }, (_, at) => create(`t${at % 40}`)));
    const created = responses.filter((response) => response.status === 201);
    expect(created).toHaveLength(40);
    await Promise.all(
      created
        .slice(0, 15)
        .map((response) =>
          app.request('DELETE', `/v1/users/${response.body.data.id}`, { key: account.liveKey }),
        ),
    );
    expect((await app.request('GET', '/v1/users?page=1', { key: account.liveKey })).body.meta.total).toBe(25);
  });
});
