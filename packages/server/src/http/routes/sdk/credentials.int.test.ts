import { defaultScopes } from '@tributary/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSdkToken } from '../../../credentials/sdk-token.ts';
import { createSecretToken, hashSecret } from '../../../credentials/secret-token.ts';
import { formatId } from '../../../ids.ts';
import { assertLiveSession } from '../../../services/sdk-sessions/assert-live-session.ts';
import { sdkOf } from '../../../test/data/sdk.ts';
import { startTestApp, type TestResponse, type TestApp } from '../../../test/apps/test-app.ts';

let app: TestApp;
let sdk: ReturnType<typeof sdkOf>;
let userId: string;
const minute = 60_000;
const day = 24 * 60 * minute;

beforeAll(async () => {
  app = await startTestApp();
  sdk = sdkOf(app);
  userId = await sdk.newUser();
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => app.moveClock(0));

function expectError(response: TestResponse, status: number, code: string): void {
  expect({ status: response.status, error: response.body.error }).toEqual({ status, error: code });
  expect(Object.keys(response.body).toSorted()).toEqual(['details', 'error', 'message']);
}

const opened = (accessToken: string) => openSdkToken(app.ctx.keyring, app.ctx.clock, accessToken);

/** The full text of responses, so that equality means equal bytes. */
const texts = (responses: TestResponse[]) => new Set(responses.map(({ body }) => JSON.stringify(body)));

function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, work));
}

async function statusOf(sessionId: string): Promise<string> {
  const { rows } = await app.admin.query('SELECT status FROM sdk_sessions WHERE id = $1', [sessionId]);
  return rows[0]?.status;
}

describe('exchange', () => {
  test('returns 200 with credentials for one hour and 90 days', async () => {
    const { bootstrap } = await sdk.signIn(userId);
    const { client_token, session_id } = (await sdk.start(userId, { scopes: ['sleep', 'scores'] })).body;
    expect(session_id).not.toBe(bootstrap.session_id);
    const response = await sdk.exchange(client_token);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('ratelimit')).toBeNull();
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^sdk_[\w-]{94}$/),
      token_type: 'Bearer',
      expires_at: expect.stringMatching(/\.000Z$/),
      refresh_token: expect.stringMatching(/^rt_[0-9A-Za-z]{49}$/),
      refresh_expires_at: expect.stringMatching(/Z$/),
      session_id,
      user_id: userId,
    });
    const { access_token, expires_at, refresh_expires_at } = response.body;
    const life = (Date.parse(expires_at) - Date.now()) / 1000;
    expect(life).toBeGreaterThan(3590);
    expect(life).toBeLessThanOrEqual(3601);
    const refreshLife = (Date.parse(refresh_expires_at) - Date.now()) / 1000;
    expect(refreshLife).toBeGreaterThan(90 * 86_400 - 10);
    expect(refreshLife).toBeLessThanOrEqual(90 * 86_400 + 1);
    const identity = opened(access_token);
    expect(identity).toEqual({
      tenant: { accountId: app.account.uuid, environment: 'live' },
      userId: expect.any(String),
      sessionId: session_id,
      scopes: ['sleep', 'scores'],
    });
    expect(formatId('user', identity.userId)).toBe(userId);
  });

  test('returns 200 for a mobile token and creates a session with its scopes', async () => {
    const id = await sdk.newUser();
    const response = await sdk.exchange(await sdk.mobileToken(id, { scopes: ['vitals'] }));
    expect(response.status).toBe(200);
    expect(opened(response.body.access_token).scopes).toEqual(['vitals']);
    const { data } = (await sdk.list(id)).body;
    expect(data).toEqual([
      expect.objectContaining({ session_id: response.body.session_id, status: 'active', platform: null }),
    ]);
    const all = await sdk.exchange(await sdk.mobileToken(id));
    expect(opened(all.body.access_token).scopes).toEqual(defaultScopes);
    expect(all.body.session_id).not.toBe(response.body.session_id);
    expect((await sdk.refresh(all.body.refresh_token)).status).toBe(200);
  });

  test('returns 200 for the sandbox and marks its sessions', async () => {
    const id = await sdk.newUser(app.account.sandboxKey);
    const { credentials } = await sdk.signIn(id, {}, app.account.sandboxKey);
    expect(opened(credentials.access_token).tenant.environment).toBe('sandbox');
    const mobile = await sdk.exchange(await sdk.mobileToken(id, {}, app.account.sandboxKey));
    expect(opened(mobile.body.access_token).tenant.environment).toBe('sandbox');
  });

  test.each(['client token', 'mobile token'])(
    'has one winner among 16 concurrent requests with one %s',
    async (kind) => {
      // Repeated, because the first race ends before all connections are open.
      for (let round = 0; round < 5; round += 1) {
        const token =
          kind === 'client token'
            ? (await sdk.start(userId)).body.client_token
            : await sdk.mobileToken(userId);
        const responses = await times(16, () => sdk.exchange(token));
        expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
        for (const response of responses.filter(({ status }) => status !== 200))
          expectError(response, 401, 'invalid_token');
        expectError(await sdk.exchange(token), 401, 'invalid_token');
      }
    },
  );

  test('returns 401 for an expired token', async () => {
    const client = (await sdk.start(userId)).body.client_token;
    const second = (await sdk.start(userId)).body.client_token;
    const mobile = await sdk.mobileToken(userId);
    await app.moveClock(5 * minute + 2_000);
    expectError(await sdk.exchange(mobile), 401, 'invalid_token');
    await app.moveClock(15 * minute - 5_000);
    expect((await sdk.exchange(client)).status).toBe(200);
    await app.moveClock(15 * minute + 2_000);
    expectError(await sdk.exchange(second), 401, 'invalid_token');
  });

  test('returns 401 for a token that was never issued, belongs elsewhere or was modified', async () => {
    const { bootstrap, credentials } = await sdk.signIn(userId);
    const good = (await sdk.start(userId)).body.client_token as string;
    const wrong = [
      createSecretToken('ct_'),
      createSecretToken('mt_'),
      bootstrap.client_token,
      credentials.access_token,
      credentials.refresh_token,
      app.account.liveKey,
      good.slice(0, -1),
      `${good}0`,
      ` ${good}`,
      good.replace('ct_', 'mt_'),
      good.replace(/.(?=.{10}$)/, (letter) => (letter === 'x' ? 'y' : 'x')),
      good.toUpperCase(),
      'x',
      `'; DROP TABLE sdk_sessions; --`,
      'ct_',
    ];
    for (const token of wrong) expectError(await sdk.exchange(token), 401, 'invalid_token');
    expect((await sdk.exchange(good)).status).toBe(200);
  });

  test('returns 401 after the user was deleted', async () => {
    const id = await sdk.newUser();
    const { client_token } = (await sdk.start(id)).body;
    const mobile = await sdk.mobileToken(id);
    await app.request('DELETE', `/v1/users/${id}`);
    expectError(await sdk.exchange(client_token), 401, 'invalid_token');
    expectError(await sdk.exchange(mobile), 401, 'invalid_token');
  });

  test.each([[{}], [{ client_token: '' }], [{ client_token: 7 }], [{ client_token: null }], [[]], [null]])(
    'returns 400 for %j',
    async (body) => {
      expectError(
        await app.request('POST', '/v1/sdk/sessions/exchange', { key: '', body }),
        400,
        'invalid_request',
      );
    },
  );
});

describe('refresh', () => {
  test('returns 200 with new credentials of the same session, repeatedly', async () => {
    const { credentials: first } = await sdk.signIn(userId, { scopes: ['sleep'] });
    await app.moveClock(40 * minute);
    const second = await sdk.refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.headers.get('cache-control')).toBe('no-store');
    expect(second.body).toMatchObject({
      token_type: 'Bearer',
      session_id: first.session_id,
      user_id: userId,
    });
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect(second.body.access_token).not.toBe(first.access_token);
    expect(Date.parse(second.body.expires_at) - Date.parse(first.expires_at)).toBeGreaterThan(39 * minute);
    expect(opened(second.body.access_token)).toEqual(opened(first.access_token));
    const third = await sdk.refresh(second.body.refresh_token, 'third');
    expect(third.status).toBe(200);
    expect((await sdk.end(third.body.access_token)).status).toBe(204);
  });

  test('returns 401 for a token used again after 30 seconds, and revokes the session', async () => {
    const { credentials: first } = await sdk.signIn(userId);
    const second = (await sdk.refresh(first.refresh_token)).body;
    await app.moveClock(32_000);
    expectError(await sdk.refresh(first.refresh_token), 401, 'invalid_token');
    expect(await statusOf(first.session_id)).toBe('revoked');
    expectError(await sdk.refresh(second.refresh_token), 401, 'invalid_token');
    expectError(await sdk.end(second.access_token), 401, 'invalid_token');
  });

  test('returns 401 for a token used long ago, and revokes the session', async () => {
    const { credentials: first } = await sdk.signIn(userId);
    let { refresh_token } = first;
    for (let at = 0; at < 5; at += 1) ({ refresh_token } = (await sdk.refresh(refresh_token, 'same')).body);
    expectError(await sdk.refresh(first.refresh_token, 'same'), 401, 'invalid_token');
    expectError(await sdk.refresh(refresh_token), 401, 'invalid_token');
    expect(await statusOf(first.session_id)).toBe('revoked');
  });

  test.each([
    ['with the same request_id', 'try-1', 'try-2'],
    ['without a request_id', undefined, undefined],
  ])(
    'returns 200 with the same response for the token just replaced %s, for 30 seconds',
    async (_name, first, second) => {
      const { credentials } = await sdk.signIn(userId);
      const response = await sdk.refresh(credentials.refresh_token, first);
      await app.moveClock(28_000);
      const again = await sdk.refresh(credentials.refresh_token, first);
      expect(again.status).toBe(200);
      expect(JSON.stringify(again.body)).toBe(JSON.stringify(response.body));
      const next = await sdk.refresh(response.body.refresh_token, second);
      expect(next.status).toBe(200);
      await app.moveClock(60_000);
      expectError(await sdk.refresh(response.body.refresh_token, second), 401, 'invalid_token');
      expect(await statusOf(credentials.session_id)).toBe('revoked');
      expectError(await sdk.refresh(next.body.refresh_token), 401, 'invalid_token');
    },
  );

  test('returns 401 within 30 seconds for a token older than the one just replaced', async () => {
    const { credentials } = await sdk.signIn(userId);
    const second = (await sdk.refresh(credentials.refresh_token)).body;
    const third = (await sdk.refresh(second.refresh_token)).body;
    expectError(await sdk.refresh(credentials.refresh_token), 401, 'invalid_token');
    expect(await statusOf(credentials.session_id)).toBe('revoked');
    expectError(await sdk.refresh(third.refresh_token), 401, 'invalid_token');
  });

  test('returns 200 with the same response from another node', async () => {
    const { credentials } = await sdk.signIn(userId);
    const response = await sdk.refresh(credentials.refresh_token);
    const DATABASE_URL = app.ctx.config.secrets.database.service.url.read();
    await using other = await startTestApp({ DATABASE_URL });
    expect((await sdkOf(other).refresh(credentials.refresh_token)).body).toEqual(response.body);
    const next = (await sdkOf(other).refresh(response.body.refresh_token)).body;
    expect((await sdk.refresh(response.body.refresh_token)).body).toEqual(next);
    expect((await sdk.end(next.access_token)).status).toBe(204);
  });

  test('returns 200 with the same response after a rotation of the encryption keys', async () => {
    const { credentials } = await sdk.signIn(userId);
    const response = await sdk.refresh(credentials.refresh_token, 'try');
    const oldKey = `1:${Buffer.alloc(32, 7).toString('base64')}`;
    const newKey = `2:${Buffer.alloc(32, 9).toString('base64')}`;
    const DATABASE_URL = app.ctx.config.secrets.database.service.url.read();
    await using rotated = await startTestApp({ ENCRYPTION_KEYS: `${newKey},${oldKey}`, DATABASE_URL });
    const later = sdkOf(rotated);
    expect((await later.refresh(credentials.refresh_token, 'try')).body).toEqual(response.body);
    const next = (await later.refresh(response.body.refresh_token, 'next')).body;
    expect((await later.refresh(response.body.refresh_token, 'next')).body).toEqual(next);
    expect((await later.end(next.access_token)).status).toBe(204);
  });

  test('returns 200 even when the signing key was removed; its access token is no longer valid', async () => {
    const { credentials } = await sdk.signIn(userId);
    const newKey = `2:${Buffer.alloc(32, 9).toString('base64')}`;
    const DATABASE_URL = app.ctx.config.secrets.database.service.url.read();
    await using replaced = await startTestApp({ ENCRYPTION_KEYS: newKey, DATABASE_URL });
    expectError(await sdkOf(replaced).end(credentials.access_token), 401, 'invalid_token');
    const renewed = await sdkOf(replaced).refresh(credentials.refresh_token);
    expect(renewed.status).toBe(200);
    expect((await sdkOf(replaced).end(renewed.body.access_token)).status).toBe(204);
  });

  test.each([
    ['another request_id', 'try-1', 'try-2'],
    ['a request_id where the first had none', undefined, 'try-1'],
    ['no request_id where the first had one', 'try-1', undefined],
  ])('returns 401 for a token just replaced with %s', async (_name, first, second) => {
    const { credentials } = await sdk.signIn(userId);
    expect((await sdk.refresh(credentials.refresh_token, first)).status).toBe(200);
    expectError(await sdk.refresh(credentials.refresh_token, second), 401, 'invalid_token');
    expect(await statusOf(credentials.session_id)).toBe('revoked');
  });

  test.each([
    ['with one request_id', 'try'],
    ['without a request_id', undefined],
  ])('rotates once for 16 concurrent requests %s and returns 16 equal responses', async (_name, attempt) => {
    const { credentials } = await sdk.signIn(userId);
    const responses = await times(16, () => sdk.refresh(credentials.refresh_token, attempt));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(texts(responses).size).toBe(1);
    const { rows } = await app.admin.query('SELECT refresh_generation FROM sdk_sessions WHERE id = $1', [
      credentials.session_id,
    ]);
    expect(rows[0].refresh_generation).toBe(2);
    expect((await sdk.refresh(responses[0]!.body.refresh_token)).status).toBe(200);
  });

  test('has one winner among 16 concurrent requests with different request_ids, and revokes the session', async () => {
    const { credentials } = await sdk.signIn(userId);
    const responses = await times(16, () => sdk.refresh(credentials.refresh_token, randomUUID()));
    const [winner, ...others] = responses.toSorted((a, b) => a.status - b.status);
    expect(winner!.status).toBe(200);
    for (const response of others) expectError(response, 401, 'invalid_token');
    expect(await statusOf(credentials.session_id)).toBe('revoked');
    expectError(await sdk.refresh(winner!.body.refresh_token), 401, 'invalid_token');
  });

  test('returns 401 after 90 days', async () => {
    const { credentials: one } = await sdk.signIn(userId);
    const { credentials: other } = await sdk.signIn(userId);
    await app.moveClock(90 * day - 5_000);
    const renewed = await sdk.refresh(one.refresh_token);
    expect(renewed.status).toBe(200);
    await app.moveClock(90 * day + 5_000);
    expectError(await sdk.refresh(other.refresh_token), 401, 'invalid_token');
    await app.moveClock(179 * day);
    expect((await sdk.refresh(renewed.body.refresh_token)).status).toBe(200);
  });

  test('returns 401 for an unknown refresh token, without side effects', async () => {
    const { credentials } = await sdk.signIn(userId);
    const good = credentials.refresh_token as string;
    const wrong = [
      createSecretToken('rt_'),
      credentials.access_token,
      good.slice(0, -1),
      `${good}0`,
      good.replace('rt_', 'ct_'),
      good.replace(/.(?=.{10}$)/, (letter) => (letter === 'x' ? 'y' : 'x')),
      'rt_',
      'x',
    ];
    for (const token of wrong) expectError(await sdk.refresh(token), 401, 'invalid_token');
    expect((await sdk.refresh(good)).status).toBe(200);
  });

  test.each([
    [{}],
    [{ refresh_token: '' }],
    [{ refresh_token: 7 }],
    [{ refresh_token: 'rt_x', request_id: '' }],
    [{ refresh_token: 'rt_x', request_id: 7 }],
    [{ refresh_token: 'rt_x', request_id: 'a\u0000' }],
    [[]],
  ])('returns 400 for %j', async (body) => {
    expectError(
      await app.request('POST', '/v1/sdk/sessions/refresh', { key: '', body }),
      400,
      'invalid_request',
    );
  });

  test('stores refresh tokens and their families only as hashes', async () => {
    const { credentials } = await sdk.signIn(userId);
    await sdk.refresh(credentials.refresh_token, 'try');
    const { rows } = await app.admin.query('SELECT * FROM sdk_sessions WHERE id = $1', [
      credentials.session_id,
    ]);
    expect(rows[0].previous_refresh_hash).toEqual(hashSecret(credentials.refresh_token));
    expect(JSON.stringify(rows)).not.toContain(credentials.refresh_token.slice(3, 20));
  });
});

describe('end of a session', () => {
  test('returns 204 with its own credential, then 401', async () => {
    const { credentials } = await sdk.signIn(userId);
    const response = await sdk.end(credentials.access_token);
    expect(response.status).toBe(204);
    expect(response.body).toBe('');
    expect(response.headers.get('ratelimit-policy')).toBe('"session";q=50;w=5');
    expectError(await sdk.end(credentials.access_token), 401, 'invalid_token');
    expectError(await sdk.refresh(credentials.refresh_token), 401, 'invalid_token');
    expect(await statusOf(credentials.session_id)).toBe('revoked');
  });

  test('returns 400 for an unknown parameter', async () => {
    const { credentials } = await sdk.signIn(userId);
    const response = await app.request('DELETE', '/v1/sdk/sessions/current?all=1', {
      key: credentials.access_token,
    });
    expectError(response, 400, 'invalid_request');
  });

  test('returns 401 without a credential, with one of another kind and after the hour', async () => {
    expectError(await sdk.end(''), 401, 'missing_token');
    const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body;
    for (const key of [app.account.liveKey, app.account.sandboxKey, token, await sdk.mobileToken(userId)])
      expectError(await sdk.end(key), 401, 'invalid_token');
    const { credentials } = await sdk.signIn(userId);
    await app.moveClock(60 * minute + 2_000);
    expectError(await sdk.end(credentials.access_token), 401, 'token_expired');
  });

  test('returns 429 after a burst of 50, from its own bucket', async () => {
    const { credentials } = await sdk.signIn(userId);
    const startedAt = performance.now();
    const responses = await times(120, () => sdk.end(credentials.access_token));
    const refilled = ((performance.now() - startedAt) / 1000) * 10;
    const allowed = responses.filter(({ status }) => status !== 429);
    expect(allowed.length).toBeGreaterThanOrEqual(50);
    expect(allowed.length).toBeLessThan(52 + refilled);
    const refused = responses.find(({ status }) => status === 429)!;
    expectError(refused, 429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const { credentials: other } = await sdk.signIn(userId);
    expect((await sdk.end(other.access_token)).status).toBe(204);
  });

  test('follows immediately when its user is deleted', async () => {
    const id = await sdk.newUser();
    const { credentials } = await sdk.signIn(id);
    const caller = { kind: 'sdk' as const, ...opened(credentials.access_token) };
    await assertLiveSession(app.ctx, caller);
    await app.request('DELETE', `/v1/users/${id}`);
    await expect(assertLiveSession(app.ctx, caller)).rejects.toMatchObject({ code: 'invalid_token' });
    expectError(await sdk.end(credentials.access_token), 401, 'invalid_token');
    expectError(await sdk.refresh(credentials.refresh_token), 401, 'invalid_token');
    expect(await statusOf(credentials.session_id)).toBe('revoked');
  });

  test('leaves no session of a deleted user when session starts race with the deletion', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await sdk.newUser();
      const tokens = await times(4, () => sdk.mobileToken(id));
      await Promise.all([
        ...Array.from({ length: 4 }, () => sdk.start(id, {}, { idempotencyKey: randomUUID() })),
        ...tokens.map((token) => sdk.exchange(token)),
        app.request('DELETE', `/v1/users/${id}`),
      ]);
      const { rows } = await app.admin.query(
        `SELECT count(*)::int AS n FROM sdk_sessions s JOIN users u ON u.id = s.user_id
         WHERE u.status = 'deleting' AND s.status <> 'revoked'`,
      );
      expect(rows[0].n).toBe(0);
    }
  });
});

test('treats a session as inactive when it is revoked or its token names another user', async () => {
  const { credentials } = await sdk.signIn(userId);
  const caller = { kind: 'sdk' as const, ...opened(credentials.access_token) };
  await assertLiveSession(app.ctx, caller);
  const refused = { code: 'invalid_token' };
  const lies = [
    { userId: randomUUID() },
    { sessionId: randomUUID() },
    { tenant: { ...caller.tenant, environment: 'sandbox' as const } },
    { tenant: { ...caller.tenant, accountId: randomUUID() } },
  ];
  for (const lie of lies)
    await expect(assertLiveSession(app.ctx, { ...caller, ...lie })).rejects.toMatchObject(refused);
  await app.request('DELETE', `/v1/users/${userId}/sdk-sessions/${credentials.session_id}`);
  await expect(assertLiveSession(app.ctx, caller)).rejects.toMatchObject(refused);
});

test('limits exchange and refresh per address, separately from invalid credentials', async () => {
  await using limited = await startTestApp({
    ADDRESS_LIMIT_PER_SECOND: '1',
    ADDRESS_LIMIT_BURST: '5',
    REDIS_URL: '', // other tests send from the same address concurrently
  });
  const phone = sdkOf(limited);
  const responses = await times(20, () => phone.refresh(createSecretToken('rt_')));
  expect(responses.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(5);
  expect(responses.filter(({ status }) => status === 401).length).toBeLessThan(10);
  const refused = responses.find(({ status }) => status === 429)!;
  expectError(refused, 429, 'rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expectError(await phone.exchange(createSecretToken('ct_')), 429, 'rate_limited');
  expect((await limited.request('GET', '/v1/users')).status).toBe(200);
});
