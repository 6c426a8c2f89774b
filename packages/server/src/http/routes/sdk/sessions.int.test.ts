import { defaultScopes } from '@tributary/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashSecret } from '../../../credentials/secret-token.ts';
import { formatId } from '../../../ids.ts';
import { updateAccount } from '../../../services/accounts/update-account.ts';
import { sdkOf } from '../../../test/data/sdk.ts';
import { startTestApp, type TestResponse, type TestApp } from '../../../test/apps/test-app.ts';
import { testActor } from '../../../test/acting.ts';
import { holdTransaction } from '../../../test/hold-transaction.ts';

let app: TestApp;
let sdk: ReturnType<typeof sdkOf>;
let userId: string;
const missingUser = formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f');
const minute = 60_000;

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://health.example.com/' });
  sdk = sdkOf(app);
  userId = await sdk.newUser();
});
afterAll(() => app[Symbol.asyncDispose]());

function expectError(response: TestResponse, status: number, code: string): void {
  expect({ status: response.status, error: response.body.error }).toEqual({ status, error: code });
  expect(Object.keys(response.body).toSorted()).toEqual(['details', 'error', 'message']);
}

describe('create', () => {
  afterEach(() => app.moveClock(0));

  test('returns 201 with a bootstrap that is valid for 15 minutes', async () => {
    const response = await sdk.start(userId, { platform: 'ios', scopes: ['sleep', 'activity'] });
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('vary')).toBe('Authorization');
    expect(response.body).toEqual({
      session_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      client_token: expect.stringMatching(/^ct_[0-9A-Za-z]{49}$/),
      client_token_expires_at: expect.stringMatching(/Z$/),
      user_id: userId,
      api_url: 'https://health.example.com',
      config: { sync_interval_seconds: 900, categories: ['sleep', 'activity'] },
    });
    const seconds = (Date.parse(response.body.client_token_expires_at) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(890);
    expect(seconds).toBeLessThanOrEqual(901);
  });

  test('returns 201 with the default categories for an empty body and for unknown fields', async () => {
    for (const body of [{}, { favorite_color: 'teal' }]) {
      const response = await sdk.start(userId, body);
      expect(response.status).toBe(201);
      expect(response.body.config.categories).toEqual(defaultScopes);
    }
  });

  test('returns 201 with reproductive health only if it is named, then also for a known installation', async () => {
    expect(defaultScopes).not.toContain('reproductive_health');
    const named = { installation_id: 'cycle', scopes: ['sleep', 'reproductive_health'] };
    const { body } = await sdk.start(userId, named);
    expect(body.config.categories).toEqual(['sleep', 'reproductive_health']);
    const again = await sdk.start(userId, { installation_id: 'cycle' });
    expect(again.status).toBe(200);
    expect(again.body.config.categories).toEqual(['sleep', 'reproductive_health']);
  });

  test('returns 201 with the account’s interval', async () => {
    const account = await app.createAccount();
    await updateAccount(app.ctx, testActor, account.uuid, { syncIntervalSeconds: 120 });
    app.ctx.credentials.clear();
    const response = await sdk.start(await sdk.newUser(account.liveKey), {}, { key: account.liveKey });
    expect(response.body.config.sync_interval_seconds).toBe(120);
  });

  test('returns 201 while the account is suspended', async () => {
    const account = await app.createAccount();
    const id = await sdk.newUser(account.liveKey);
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
    app.ctx.credentials.clear();
    const { bootstrap, credentials } = await sdk.signIn(id, {}, account.liveKey);
    expect((await sdk.list(id, account.liveKey)).body.data).toHaveLength(1);
    expect(bootstrap.session_id).toBe(credentials.session_id);
    expect((await sdk.end(credentials.access_token)).status).toBe(204);
  });

  test('returns 200 with the same bootstrap for the same key and body, even if used, expired or after settings changes', async () => {
    const account = await app.createAccount();
    const id = await sdk.newUser(account.liveKey);
    const idempotencyKey = randomUUID();
    const body = { platform: 'ios', installation_id: 'a', scopes: ['sleep', 'activity'] };
    const send = (sent: object, key: string) =>
      sdk.start(id, sent, { idempotencyKey: key, key: account.liveKey });
    const first = await send(body, idempotencyKey);
    expect(first.status).toBe(201);
    const expectSame = (response: TestResponse) => {
      expect(response.status).toBe(200);
      expect(JSON.stringify(response.body)).toBe(JSON.stringify(first.body));
    };
    expectSame(await send(body, idempotencyKey));
    // The same key in another spelling, and the same body in another order.
    const shuffled = { scopes: ['activity', 'sleep'], installation_id: 'a', platform: 'ios', unknown: 1 };
    expectSame(await send(shuffled, idempotencyKey.toUpperCase()));
    await sdk.exchange(first.body.client_token);
    await updateAccount(app.ctx, testActor, account.uuid, { syncIntervalSeconds: 300 });
    await app.moveClock(16 * minute);
    expectSame(await send(body, idempotencyKey));
    expect((await sdk.list(id, account.liveKey)).body.data).toHaveLength(1);
  });

  test('returns 200 with the same bootstrap after a rotation of the encryption keys', async () => {
    const idempotencyKey = randomUUID();
    const first = await sdk.start(userId, {}, { idempotencyKey });
    const both = { ENCRYPTION_KEYS: `2:${Buffer.alloc(32, 9).toString('base64')},1:${oldKey}` };
    await using rotated = await startTestApp({
      ...both,
      DATABASE_URL: app.ctx.config.secrets.database.service.url.read(),
    });
    const again = await sdkOf(rotated).start(userId, {}, { idempotencyKey, key: app.account.liveKey });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect((await sdkOf(rotated).exchange(first.body.client_token)).status).toBe(200);
  });

  test('returns 201 again with a key older than 24 hours', async () => {
    const idempotencyKey = randomUUID();
    const first = await sdk.start(userId, {}, { idempotencyKey });
    await app.moveClock(24 * 60 * minute - 5_000);
    expect((await sdk.start(userId, {}, { idempotencyKey })).status).toBe(200);
    expect((await sdk.start(userId, { platform: 'web' }, { idempotencyKey })).status).toBe(409);
    await app.moveClock(24 * 60 * minute + 5_000);
    const later = await sdk.start(userId, { platform: 'web' }, { idempotencyKey });
    expect(later.status).toBe(201);
    expect(later.body.session_id).not.toBe(first.body.session_id);
    const again = await sdk.start(userId, { platform: 'web' }, { idempotencyKey });
    expect(again.body).toEqual(later.body);
  });

  test('returns 200 with the session of a known installation and a new client token, and revokes the old one', async () => {
    const id = await sdk.newUser();
    const installation = { installation_id: 'phone', platform: 'ios', scopes: ['sleep'] };
    const first = (await sdk.start(id, installation)).body;
    const pending = await sdk.start(id, { installation_id: 'phone' });
    expect(pending.status).toBe(200);
    expect(pending.body).toMatchObject({ session_id: first.session_id, config: { categories: ['sleep'] } });
    expect(pending.body.client_token).not.toBe(first.client_token);
    expectError(await sdk.exchange(first.client_token), 401, 'invalid_token');
    const before = (await sdk.exchange(pending.body.client_token)).body;
    expect(before.session_id).toBe(first.session_id);

    const wider = { installation_id: 'phone', scopes: ['vitals', 'sleep'], platform: 'android' };
    const active = await sdk.start(id, wider);
    expect(active.status).toBe(200);
    expect(active.body).toMatchObject({
      session_id: first.session_id,
      config: { categories: ['vitals', 'sleep'] },
    });
    const after = await sdk.exchange(active.body.client_token);
    expect(after.body.session_id).toBe(first.session_id);
    expectError(await sdk.refresh(before.refresh_token), 401, 'invalid_token');
    expect((await sdk.refresh(after.body.refresh_token)).status).toBe(200);
    const [listed, ...others] = (await sdk.list(id)).body.data;
    expect(listed).toMatchObject({ session_id: first.session_id, status: 'active', platform: 'android' });
    expect(others).toEqual([]);
  });

  test('returns 201 for an installation whose session was revoked, and for that of another user', async () => {
    const id = await sdk.newUser();
    const first = (await sdk.start(id, { installation_id: 'phone' })).body;
    await app.request('DELETE', `/v1/users/${id}/sdk-sessions/${first.session_id}`);
    const second = await sdk.start(id, { installation_id: 'phone' });
    expect(second.status).toBe(201);
    expect(second.body.session_id).not.toBe(first.session_id);
    expect((await sdk.start(await sdk.newUser(), { installation_id: 'phone' })).status).toBe(201);
  });

  test('creates one session for concurrent requests of an installation', async () => {
    const id = await sdk.newUser();
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => sdk.start(id, { installation_id: 'phone' })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(15).fill(200), 201]);
    expect(new Set(responses.map(({ body }) => body.session_id)).size).toBe(1);
    const good = await Promise.all(responses.map(({ body }) => sdk.exchange(body.client_token)));
    expect(good.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('creates one session for 16 requests with one key; the others return it or report that it is in progress', async () => {
    const id = await sdk.newUser();
    const idempotencyKey = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => sdk.start(id, { platform: 'ios' }, { idempotencyKey })),
    );
    const bodies = responses.filter(({ status }) => status < 300).map(({ body }) => JSON.stringify(body));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(bodies).size).toBe(1);
    for (const response of responses.filter(({ status }) => status >= 300)) {
      expectError(response, 409, 'idempotency_in_progress');
    }
    expect((await sdk.list(id)).body.data).toHaveLength(1);
  });

  test.each([
    ['an unknown platform', { platform: 'symbian' }],
    ['a platform that is null', { platform: null }],
    ['an empty installation', { installation_id: '' }],
    ['an installation of 256 characters', { installation_id: 'x'.repeat(256) }],
    ['an installation that is a number', { installation_id: 7 }],
    ['a NUL', { device_model: 'a\u0000b' }],
    ['half a surrogate pair', { app_version: '\ud800' }],
    ['an unknown scope', { scopes: ['steps'] }],
    ['an empty list of scopes', { scopes: [] }],
    ['a repeated scope', { scopes: ['sleep', 'sleep'] }],
    ['scopes as a string', { scopes: 'sleep' }],
  ])('returns 400 for %s', async (_name, body) => {
    expectError(await sdk.start(userId, body), 400, 'invalid_request');
  });

  test.each(['', 'x', '5f0c9f2e3a4b4c5d8e6f7a8b9c0d1e2f', `urn:uuid:${randomUUID()}`, `{${randomUUID()}}`])(
    'returns 400 for the Idempotency-Key %j',
    async (idempotencyKey) => {
      const response = await sdk.start(userId, {}, { idempotencyKey });
      expectError(response, 400, 'invalid_request');
      expect(response.body.details.fields).toEqual([
        { in: 'header', name: 'Idempotency-Key', problem: 'must be a UUID' },
      ]);
    },
  );

  test('returns 400 without an Idempotency-Key, with two, without a body and for an unknown parameter', async () => {
    const path = `/v1/users/${userId}/sdk-sessions`;
    expectError(await app.request('POST', path, { body: {} }), 400, 'invalid_request');
    const two = { 'idempotency-key': `${randomUUID()}, ${randomUUID()}` };
    expectError(await app.request('POST', path, { body: {}, headers: two }), 400, 'invalid_request');
    for (const rawBody of ['', '[]', 'null', '{'])
      expectError(await sdk.start(userId, {}, { rawBody }), 400, 'invalid_request');
    const headers = { 'idempotency-key': randomUUID() };
    expectError(await app.request('POST', `${path}?x=1`, { body: {}, headers }), 400, 'invalid_request');
  });

  test('returns 401 without a key, 403 for a user token, 404 for a missing user', async () => {
    expectError(await sdk.start(userId, {}, { key: '' }), 401, 'missing_token');
    const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body;
    expectError(await sdk.start(userId, {}, { key: token }), 403, 'insufficient_scope');
    for (const id of [missingUser, 'user_x', 'x']) expectError(await sdk.start(id), 404, 'not_found');
    expectError(await sdk.start(userId, {}, { key: app.account.sandboxKey }), 404, 'not_found');
  });

  test('returns 404 for a deleted user, also with a key that was used before', async () => {
    const id = await sdk.newUser();
    const idempotencyKey = randomUUID();
    expect((await sdk.start(id, {}, { idempotencyKey })).status).toBe(201);
    await app.request('DELETE', `/v1/users/${id}`);
    expectError(await sdk.start(id, {}, { idempotencyKey }), 404, 'not_found');
    expectError(await sdk.start(id), 404, 'not_found');
  });

  test('returns 409 for a key used with another body; keys belong to their user', async () => {
    const idempotencyKey = randomUUID();
    await sdk.start(userId, { platform: 'ios' }, { idempotencyKey });
    for (const body of [{}, { platform: 'web' }, { platform: 'ios', app_version: '2' }])
      expectError(await sdk.start(userId, body, { idempotencyKey }), 409, 'idempotency_conflict');
    const other = await sdk.start(await sdk.newUser(), { platform: 'web' }, { idempotencyKey });
    expect(other.status).toBe(201);
  });

  test('returns 409 with Retry-After while the key is in use', async () => {
    const idempotencyKey = randomUUID();
    const { id } = (await app.request('POST', '/v1/users', { body: { external_ref: 'busy' } })).body;
    await using holder = await holdTransaction(app.admin);
    await holder.query(`SELECT FROM users WHERE reference_id = 'busy' FOR UPDATE`);
    const slow = sdk.start(id, {}, { idempotencyKey });
    await expect
      .poll(async () => (await sdk.start(id, {}, { idempotencyKey })).body.error)
      .toBe('idempotency_in_progress');
    const refused = await sdk.start(id, {}, { idempotencyKey });
    expectError(refused, 409, 'idempotency_in_progress');
    expect(refused.headers.get('retry-after')).toBe('1');
    await holder.commit();
    expect((await slow).status).toBe(201);
    expect((await sdk.start(id, {}, { idempotencyKey })).body).toEqual((await slow).body);
  });

  test('returns 413 for a body over the limit', async () => {
    const body = { padding: 'x'.repeat(1_100_000) };
    expectError(await sdk.start(userId, body), 413, 'payload_too_large');
  });

  test('stores the client token only as a hash', async () => {
    const { client_token, session_id } = (await sdk.start(userId)).body;
    const tables = ['sdk_sessions', 'sdk_session_requests'];
    for (const table of tables) {
      const { rows } = await app.admin.query(`SELECT t::text AS row FROM ${table} t`);
      for (const { row } of rows) expect(row).not.toContain(client_token.slice(3));
    }
    const { rows } = await app.admin.query('SELECT client_token_hash FROM sdk_sessions WHERE id = $1', [
      session_id,
    ]);
    expect(rows[0].client_token_hash).toEqual(hashSecret(client_token));
  });
});

describe('list', () => {
  test('returns 200 with pending and active sessions, newest first', async () => {
    const id = await sdk.newUser();
    expect((await sdk.list(id)).body).toEqual({ data: [] });
    const first = (await sdk.start(id, { platform: 'ios', installation_id: 'phone' })).body;
    const second = await sdk.signIn(id);
    const third = (await sdk.start(id)).body;
    await app.request('DELETE', `/v1/users/${id}/sdk-sessions/${third.session_id}`);
    const response = await sdk.list(id);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(response.body).toEqual({
      data: [
        {
          session_id: second.bootstrap.session_id,
          status: 'active',
          platform: null,
          installation_id: null,
          created_at: timestamp,
          last_seen_at: timestamp,
        },
        {
          session_id: first.session_id,
          status: 'pending',
          platform: 'ios',
          installation_id: 'phone',
          created_at: timestamp,
          last_seen_at: null,
        },
      ],
    });
  });

  test('returns 400, 401, 403, 404', async () => {
    const path = `/v1/users/${userId}/sdk-sessions`;
    expectError(await app.request('GET', `${path}?limit=1`), 400, 'invalid_request');
    expectError(await app.request('GET', path, { key: '' }), 401, 'missing_token');
    const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body;
    expectError(await app.request('GET', path, { key: token }), 403, 'insufficient_scope');
    for (const id of [missingUser, 'x']) expectError(await sdk.list(id), 404, 'not_found');
    expectError(await sdk.list(userId, app.account.sandboxKey), 404, 'not_found');
  });
});

describe('delete', () => {
  const revoke = (id: string, sessionId: string, key?: string) =>
    app.request('DELETE', `/v1/users/${id}/sdk-sessions/${sessionId}`, key === undefined ? {} : { key });

  test('returns 204, also the second time, and revokes its tokens', async () => {
    const { bootstrap, credentials } = await sdk.signIn(userId);
    const response = await revoke(userId, bootstrap.session_id);
    expect(response.status).toBe(204);
    expect(response.body).toBe('');
    expect((await revoke(userId, bootstrap.session_id.toUpperCase())).status).toBe(204);
    expectError(await sdk.refresh(credentials.refresh_token), 401, 'invalid_token');
    expectError(await sdk.end(credentials.access_token), 401, 'invalid_token');
    const pending = (await sdk.start(userId)).body;
    expect((await revoke(userId, pending.session_id)).status).toBe(204);
    expectError(await sdk.exchange(pending.client_token), 401, 'invalid_token');
  });

  test('returns 204 while the account is suspended', async () => {
    const account = await app.createAccount();
    const id = await sdk.newUser(account.liveKey);
    const { session_id } = (await sdk.start(id, {}, { key: account.liveKey })).body;
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
    app.ctx.credentials.clear();
    expect((await revoke(id, session_id, account.liveKey)).status).toBe(204);
  });

  test('returns 401, 403 and 404 for sessions that are malformed, missing, or of another or deleted user', async () => {
    const { session_id } = (await sdk.start(userId)).body;
    expectError(await revoke(userId, session_id, ''), 401, 'missing_token');
    const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body;
    expectError(await revoke(userId, session_id, token), 403, 'insufficient_scope');
    const malformed = ['x', `${session_id}0`, session_id.replaceAll('-', ''), `urn:uuid:${session_id}`];
    for (const id of [...malformed, randomUUID()]) expectError(await revoke(userId, id), 404, 'not_found');
    expectError(await revoke(await sdk.newUser(), session_id), 404, 'not_found');
    expectError(await revoke(missingUser, session_id), 404, 'not_found');
    expectError(await revoke(userId, session_id, app.account.sandboxKey), 404, 'not_found');
    const stranger = await app.createAccount();
    expectError(await revoke(userId, session_id, stranger.liveKey), 404, 'not_found');
    const foreignUser = await sdk.newUser(stranger.liveKey);
    expectError(await revoke(foreignUser, session_id, stranger.liveKey), 404, 'not_found');
    expect((await sdk.list(userId)).body.data[0].session_id).toBe(session_id);
    const id = await sdk.newUser();
    const ofDeleted = (await sdk.start(id)).body.session_id;
    await app.request('DELETE', `/v1/users/${id}`);
    expectError(await revoke(id, ofDeleted), 404, 'not_found');
  });
});

/** The encryption key of the test configuration. */
const oldKey = Buffer.alloc(32, 7).toString('base64');
