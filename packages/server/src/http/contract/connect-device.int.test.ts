import { randomUUID } from 'node:crypto';
import { onDeviceProviders, type Archetype } from '@tributary/contract';
import { providers } from '@tributary/providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../../ids.ts';
import { redirectUrl, startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';
import { createPhoneUser, workThrough } from '../../test/data/uploads.ts';
import { holdTransaction } from '../../test/hold-transaction.ts';

let app: ConnectApp;
beforeAll(async () => {
  app = await startConnectApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const devicesOf = async (userId: string) =>
  (await app.request('GET', `/v1/users/${userId}/devices`)).body.data;
const post = (userId: string, body: unknown, key = app.account.sandboxKey) =>
  app.request('POST', `/v1/users/${userId}/devices`, { key, body });
const linksOf = async (userId: string) =>
  (await app.admin.query('SELECT * FROM connect_links WHERE user_id = $1', [parseId('user', userId)])).rows;

const waiting = {
  state: 'silent',
  reason: 'waiting_for_person',
  message: expect.any(String),
  next_step: expect.stringContaining('auth_url'),
};

describe('POST devices 200', () => {
  test.each(providers.map(({ id }) => id))(
    '%s: returns a pending device and a page for the user',
    async (id) => {
      const userId = await app.createUser();
      const { status, headers, body } = await app.connect(userId, id, redirectUrl);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toStrictEqual({
        data: {
          id: expect.stringMatching(/^dev_[0-9a-z]{26}$/),
          provider: id,
          status: 'pending',
          auth_url: expect.stringMatching(new RegExp(`^${app.url}/connect/cl_[0-9A-Za-z]{40,}$`)),
        },
      });
      expect(await devicesOf(userId)).toStrictEqual([
        {
          id: body.data.id,
          provider: id,
          status: 'pending',
          connected_at: null,
          last_sync_at: null,
          sync: waiting,
        },
      ]);
      // The page is only for the user: no list contains it.
      expect(JSON.stringify(await devicesOf(userId))).not.toContain('cl_');
    },
  );

  test('returns the same device with a new page when repeated, and the earlier page still opens', async () => {
    const userId = await app.createUser();
    const first = (await app.connect(userId, 'oura')).body.data;
    const second = (await app.connect(userId, 'oura', redirectUrl)).body.data;
    expect(second).toEqual({ ...first, auth_url: expect.any(String) });
    expect(second.auth_url).not.toBe(first.auth_url);
    for (const { auth_url } of [first, second]) expect((await fetch(auth_url)).status).toBe(200);
    expect(await devicesOf(userId)).toHaveLength(1);
    const other = (await app.connect(userId, 'whoop')).body.data;
    expect(other.id).not.toBe(first.id);
    const stranger = (await app.connect(await app.createUser(), 'oura')).body.data;
    expect(stranger.id).not.toBe(first.id);
  });

  test('creates one device for concurrent requests', async () => {
    const userId = await app.createUser();
    const responses = await Promise.all(Array.from({ length: 8 }, () => app.connect(userId, 'oura')));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await devicesOf(userId)).toHaveLength(1);
  });

  test('waits for a phone’s first upload in progress and keeps both devices', async () => {
    const userId = await app.createUser();
    const uuid = parseId('user', userId)!;
    await using worker = await holdTransaction(app.admin);
    await worker.query('SELECT try_lock_user($1)', [uuid]);
    await worker.query(
      `INSERT INTO devices (user_id, device_no, id, provider, status) VALUES ($1, 1, $2, 'apple_health', 'active')`,
      [uuid, randomUUID()],
    );
    const asking = app.connect(userId, 'oura');
    const waiting = () => app.admin.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
    await expect.poll(async () => (await waiting()).rowCount, { interval: 20 }).toBeGreaterThan(0);
    await worker.query('UPDATE users SET last_sync_at = now() WHERE id = $1', [uuid]);
    await worker.commit();
    expect((await asking).status).toBe(200);
    expect(await devicesOf(userId)).toHaveLength(2);
  });

  test('keeps a working connection active while a new page is open', async () => {
    const userId = await app.createUser();
    const { id, auth_url } = (await app.connect(userId, 'oura')).body.data;
    await app.authorize(auth_url);
    const again = (await app.connect(userId, 'oura')).body.data;
    expect(again).toMatchObject({ id, provider: 'oura', status: 'active' });
    expect(await devicesOf(userId)).toMatchObject([
      { id, status: 'active', connected_at: expect.any(String), sync: { state: 'fresh', reason: 'on_time' } },
    ]);
  });

  test('creates a new device after the old one was removed', async () => {
    const userId = await app.createUser();
    const { id } = (await app.connect(userId, 'oura')).body.data;
    expect((await app.request('DELETE', `/v1/users/${userId}/devices/${id}`)).status).toBe(204);
    const again = (await app.connect(userId, 'oura')).body.data;
    expect(again.id).not.toBe(id);
    expect(await devicesOf(userId)).toMatchObject([{ id: again.id }]);
  });

  test('ignores unknown fields, and warns about one that resembles a known one', async () => {
    const userId = await app.createUser();
    const quiet = await post(userId, { provider: 'oura', user_id: userId, scopes: ['sleep'] });
    expect([quiet.status, quiet.body.data.provider]).toEqual([200, 'oura']);
    expect(quiet.body).not.toHaveProperty('warnings');
    const warned = await post(userId, { provider: 'oura', redirect_uri: redirectUrl });
    expect([warned.status, warned.body.data.id]).toEqual([200, quiet.body.data.id]);
    expect(warned.body.warnings).toEqual([
      {
        field: 'redirect_uri',
        message: 'Unknown field `redirect_uri` was ignored. Did you mean `redirect_url`?',
      },
    ]);
  });

  test('accepts an allowed URL with any query', async () => {
    const userId = await app.createUser();
    expect((await app.connect(userId, 'oura', `${redirectUrl}?flow=7&status=x`)).status).toBe(200);
  });
});

describe('POST devices for a provider that the sandbox simulates', () => {
  const simulatedUser = async (archetype?: Archetype) => {
    const sandbox = archetype && { sandbox: { archetype } };
    const body = { reference_id: randomUUID(), timezone: 'Europe/Berlin', ...sandbox };
    const { id } = (await app.request('POST', '/v1/users', { body })).body.data;
    await app.processPending();
    return id as string;
  };
  const list = async (userId: string) =>
    (await app.request('GET', `/v1/users/${userId}/devices`)).body.data as {
      id: string;
      provider: string;
      status: string;
      sync: { state: string; reason: string } | null;
    }[];

  test('returns the simulated device, and connects it', async () => {
    const userId = await simulatedUser();
    const before = await list(userId);
    const ring = before.find(({ provider }) => provider === 'oura')!;
    expect([ring.status, ring.sync]).toEqual(['active', null]);

    const { status, body } = await app.connect(userId, 'oura', redirectUrl);
    expect([status, body.data.id, body.data.status]).toEqual([200, ring.id, 'active']);
    expect((await app.connect(userId, 'oura', redirectUrl)).body.data.id).toBe(ring.id);
    const waiting = await list(userId);
    expect(waiting.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
    expect(waiting.find(({ id }) => id === ring.id)!.sync).toMatchObject({ reason: 'waiting_for_person' });

    const back = await app.authorize(body.data.auth_url);
    expect(back.headers.get('location')).toContain(`status=connected&device_id=${ring.id}`);
    const after = await list(userId);
    expect(after).toHaveLength(before.length);
    expect(after.find(({ id }) => id === ring.id)).toMatchObject({
      status: 'active',
      sync: { state: 'fresh', reason: 'on_time' },
    });
    const sync = await app.request('GET', `/v1/users/${userId}/devices/${ring.id}/sync`);
    expect(sync.body.data).toMatchObject({ device_id: ring.id, sync: { state: 'fresh' } });
  });

  test('waits for an upload in progress that updates the simulated device', async () => {
    const userId = await simulatedUser();
    const uuid = parseId('user', userId)!;
    await using worker = await holdTransaction(app.admin);
    await worker.query('SELECT try_lock_user($1)', [uuid]);
    await worker.query('UPDATE devices SET last_sync_at = now() WHERE user_id = $1', [uuid]);
    const asking = app.connect(userId, 'oura', redirectUrl);
    const waits = () => app.admin.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
    await expect.poll(async () => (await waits()).rowCount, { interval: 20 }).toBeGreaterThan(0);
    await worker.query('UPDATE users SET last_sync_at = now() WHERE id = $1', [uuid]);
    await worker.commit();
    expect((await asking).status).toBe(200);
  });

  test('simulates it until the user authorizes the connection, and not afterwards', async () => {
    const userId = await simulatedUser('athlete');
    const ringSource = async () => {
      const path = `/v1/sandbox/users/${userId}/advance`;
      const { today } = (await app.request('POST', path, { body: { days: 1 } })).body.sandbox;
      await app.processPending();
      const range = `from_date=${today}&to_date=${today}&include_sources=true`;
      const daily = await app.request(
        'GET',
        `/v1/users/${userId}/daily?types=heart_rate_variability_rmssd&${range}`,
      );
      return daily.body.sources.heart_rate_variability_rmssd[0]?.provider ?? null;
    };
    const { body } = await app.connect(userId, 'oura', redirectUrl);
    expect(await ringSource()).toBe('oura');
    await app.authorize(body.data.auth_url);
    expect(await ringSource()).toBeNull();
  });
});

describe('POST devices 400', () => {
  let userId: string;
  beforeAll(async () => {
    userId = await app.createUser();
  });

  test.each<[string, string, unknown]>([
    ['unknown_provider', 'an unknown provider', { provider: 'fitbit-classic' }],
    ['unknown_provider', 'another letter case', { provider: 'Oura' }],
    ['unknown_provider', 'a built-in property name', { provider: 'constructor' }],
    ...onDeviceProviders.map((provider): [string, string, unknown] => [
      'use_mobile_sdk',
      provider,
      { provider },
    ]),
    [
      'redirect_url_not_allowed',
      'another host',
      { provider: 'oura', redirect_url: 'https://evil.example/connected' },
    ],
    ['redirect_url_not_allowed', 'another path', { provider: 'oura', redirect_url: `${redirectUrl}/more` }],
    ['redirect_url_not_allowed', 'a fragment', { provider: 'oura', redirect_url: `${redirectUrl}#there` }],
    [
      'redirect_url_not_allowed',
      'user info before the host',
      { provider: 'oura', redirect_url: 'http://a@localhost:3000/connected' },
    ],
    ['redirect_url_not_allowed', 'a script', { provider: 'oura', redirect_url: 'javascript:alert(1)' }],
    ['redirect_url_not_allowed', 'a relative URL', { provider: 'oura', redirect_url: 'connected' }],
    ['invalid_request', 'no provider', {}],
    ['invalid_request', 'an empty provider', { provider: '' }],
    ['invalid_request', 'a number', { provider: 7 }],
    ['invalid_request', 'a provider that is too long', { provider: 'o'.repeat(65) }],
    ['invalid_request', 'null as redirect URL', { provider: 'oura', redirect_url: null }],
    [
      'invalid_request',
      'a redirect URL that is too long',
      { provider: 'oura', redirect_url: `${redirectUrl}?${'x'.repeat(2000)}` },
    ],
    ['invalid_request', 'a list', [{ provider: 'oura' }]],
  ])('%s: %s', async (error, _why, body) => {
    const response = await post(userId, body);
    expect([response.status, response.body.error]).toEqual([400, error]);
    expect(response.body.message).toMatch(/\.$/);
  });

  test('provider_unavailable: the operator has no provider app', async () => {
    const { body } = await app.request('POST', '/v1/users', {
      key: app.account.liveKey,
      body: { reference_id: randomUUID() },
    });
    const response = await post(body.data.id, { provider: 'oura' }, app.account.liveKey);
    expect([response.status, response.body.error]).toEqual([400, 'provider_unavailable']);
  });

  test('rejects malformed JSON and a query', async () => {
    const path = `/v1/users/${userId}/devices`;
    expect((await app.request('POST', path, { rawBody: '{"provider"' })).status).toBe(400);
    expect((await app.request('POST', path)).status).toBe(400);
    expect((await app.request('POST', `${path}?provider=oura`, { body: { provider: 'oura' } })).status).toBe(
      400,
    );
  });

  test('creates nothing for any of them', async () => {
    expect(await devicesOf(userId)).toEqual([]);
    expect(await linksOf(userId)).toEqual([]);
  });
});

describe('POST devices credentials', () => {
  test('returns 401 without a key', async () => {
    const { status, body } = await post(await app.createUser(), { provider: 'oura' }, '');
    expect([status, body.error]).toEqual([401, 'missing_token']);
  });

  test('returns 402 while the account is suspended', async () => {
    const userId = await app.createUser();
    await app.admin.query(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [app.account.uuid]);
    app.ctx.credentials.clear();
    const { status, body } = await post(userId, { provider: 'oura' });
    await app.admin.query(`UPDATE accounts SET status = 'active' WHERE id = $1`, [app.account.uuid]);
    app.ctx.credentials.clear();
    expect([status, body.error]).toEqual([402, 'payment_required']);
    expect(await devicesOf(userId)).toEqual([]);
  });

  test('returns 403 for a user token, even for its own user', async () => {
    const user_id = await app.createUser();
    const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id } })).body;
    const { status, body } = await post(user_id, { provider: 'oura' }, token);
    expect([status, body.error]).toEqual([403, 'insufficient_scope']);
    expect(await devicesOf(user_id)).toEqual([]);
  });

  test('returns 404 for a user of another account or environment, a deleted user, or an unknown one', async () => {
    const stranger = await app.createAccount();
    const make = async (key: string) =>
      (await app.request('POST', '/v1/users', { key, body: { reference_id: randomUUID() } })).body.data.id;
    const deletedId = await app.createUser();
    await app.request('DELETE', `/v1/users/${deletedId}`);
    const foreign = [await make(stranger.sandboxKey), await make(app.account.liveKey), deletedId];
    for (const id of [...foreign, formatId('user', randomUUID()), 'user_1', 'me']) {
      const { status, body } = await post(id, { provider: 'oura' });
      expect([status, body.error], id).toEqual([404, 'not_found']);
    }
    for (const id of foreign) expect(await linksOf(id)).toEqual([]);
  });
});

describe('GET …/sync', () => {
  const syncOf = (userId: string, deviceId: string, key = app.account.sandboxKey) =>
    app.request('GET', `/v1/users/${userId}/devices/${deviceId}/sync`, { key });

  test('returns 200 without activity for a device that waits for authorization', async () => {
    const userId = await app.createUser();
    const { id } = (await app.connect(userId, 'oura')).body.data;
    const { status, body } = await syncOf(userId, id);
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      data: {
        device_id: id,
        provider: 'oura',
        status: 'pending',
        sync: waiting,
        last_push_at: null,
        last_new_data_at: null,
        next_poll_at: null,
        history: {
          state: 'none',
          days_total: 0,
          days_done: 0,
          reaches_back_to: null,
          estimated_end_at: null,
        },
        runs: [],
      },
    });
  });

  test('returns 200 with a pending sync for a newly authorized device', async () => {
    const userId = await app.createUser();
    const { id, auth_url } = (await app.connect(userId, 'oura')).body.data;
    await app.authorize(auth_url);
    const { body } = await syncOf(userId, id);
    expect(body.data).toMatchObject({
      status: 'active',
      sync: { state: 'fresh', reason: 'on_time', next_step: null },
      next_poll_at: expect.any(String),
      history: { state: 'running', days_done: 0, days_total: providers[0]!.historyDays },
    });
  });

  test('returns 404 for a device of a phone, a removed device, one of another account, or an unknown one', async () => {
    const phone = await createPhoneUser(app);
    await phone.upload({ id: 'watch' }, { daily: [{ metric: 'steps', date: '2026-03-01', value: 8420 }] });
    await workThrough(app);
    const [watch] = await devicesOf(phone.id);
    const [userId, other] = [await app.createUser(), await app.createUser()];
    const { id } = (await app.connect(userId, 'oura')).body.data;
    const removed = (await app.connect(other, 'oura')).body.data.id;
    await app.request('DELETE', `/v1/users/${other}/devices/${removed}`);
    const stranger = await app.createAccount();
    for (const [user, device, key] of [
      [phone.id, watch.id],
      [other, removed],
      [other, id],
      [userId, formatId('dev', randomUUID())],
      [userId, 'dev_1'],
      [formatId('user', randomUUID()), id],
      [userId, id, stranger.sandboxKey],
      [userId, id, app.account.liveKey],
    ] as [string, string, string?][]) {
      const { status, body } = await syncOf(user, device, key);
      expect([status, body.error]).toEqual([404, 'not_found']);
    }
  });

  test('returns 401 and 403 like other operations', async () => {
    const user_id = await app.createUser();
    const { id } = (await app.connect(user_id, 'oura')).body.data;
    const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id } })).body;
    expect((await syncOf(user_id, id, '')).status).toBe(401);
    expect((await syncOf(user_id, id, token)).body.error).toBe('insufficient_scope');
  });
});
