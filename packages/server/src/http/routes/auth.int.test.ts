import { setTimeout as sleep } from 'node:timers/promises';
import { defaultScopes } from '@tributary/contract';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import { updateAccount } from '../../services/accounts/update-account.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { testActor } from '../../test/acting.ts';

let app: TestApp;
let userId: string;
const missing = formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f');

beforeAll(async () => {
  app = await startTestApp();
  userId = (await app.request('POST', '/v1/users', { body: { reference_id: 'ada' } })).body.data.id;
});
afterAll(() => app[Symbol.asyncDispose]());

const paths = ['/v1/auth/user-token', '/v1/auth/user-token/refresh', '/v1/auth/mobile-token'];

describe.each(paths)('%s', (path) => {
  const send = (body: unknown, key?: string) =>
    app.request('POST', path, { body, ...(key === undefined ? {} : { key }) });

  test('returns 200 with the token, its user and its expiry, and forbids caching', async () => {
    const response = await send({ user_id: userId });
    expect(response.status).toBe(200);
    expect(Object.keys(response.body).toSorted()).toEqual(['expires_at', 'token', 'user_id']);
    expect(response.body.user_id).toBe(userId);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const seconds = (Date.parse(response.body.expires_at) - Date.now()) / 1000;
    const life = path.endsWith('mobile-token') ? 300 : 3600;
    expect(seconds).toBeGreaterThan(life - 10);
    expect(seconds).toBeLessThanOrEqual(life + 1);
  });

  test.each([
    [{}],
    [{ user_id: '' }],
    [{ user_id: 5 }],
    [{ user_id: null }],
    [[]],
    [{ user_id: 'x'.repeat(65) }],
  ])('returns 400 for %j', async (body) => expect((await send(body)).body.error).toBe('invalid_request'));

  test('returns 401 without a key, 402 while suspended, 403 for a user token', async () => {
    expect((await send({ user_id: userId }, '')).body.error).toBe('missing_token');
    const account = await app.createAccount();
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
    app.ctx.credentials.clear();
    expect((await send({ user_id: userId }, account.liveKey)).body.error).toBe('payment_required');
    const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body;
    expect((await send({ user_id: userId }, token)).body.error).toBe('insufficient_scope');
  });

  test('returns 404 for a user that is missing, malformed or in the other environment', async () => {
    for (const id of [missing, 'user_x', 'x'])
      expect((await send({ user_id: id })).body.error).toBe('not_found');
    expect((await send({ user_id: userId }, app.account.sandboxKey)).body.error).toBe('not_found');
  });
});

describe('user tokens', () => {
  test('can be verified by any library against the published keys', async () => {
    const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body;
    const keys = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      audience: 'tributary:user',
      issuer: 'tributary',
    });
    expect(payload.sub).toBe(userId);
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'tributary-user+jwt' });
  });

  // @contract all/credentials: Every issued user token is different
  test('are all different, also within one second', async () => {
    const issue = (path: string) => app.request('POST', path, { body: { user_id: userId } });
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, at) => issue(`/v1/auth/user-token${at % 2 === 0 ? '' : '/refresh'}`)),
    );
    const tokens = responses.map(({ body }) => body.token as string);
    expect(new Set(tokens).size).toBe(tokens.length);
    const claims = tokens.map((token) => decodeJwt(token));
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(tokens.length);
    // Several of them were issued within the same second.
    expect(new Set(claims.map(({ iat }) => iat)).size).toBeLessThan(tokens.length);
    for (const key of tokens)
      expect((await app.request('GET', `/v1/users/${userId}/devices`, { key })).status).toBe(200);
  });

  // @contract all/credentials: A user token allows 20 requests per second with bursts of 40, within the limit of its key
  test('have their own limit, within that of the key', async () => {
    const account = await app.createAccount();
    const id = (await app.request('POST', '/v1/users', { key: account.liveKey, body: { reference_id: 'x' } }))
      .body.data.id;
    const { token } = (
      await app.request('POST', '/v1/auth/user-token', { key: account.liveKey, body: { user_id: id } })
    ).body;
    const read = (key: string) => app.request('GET', `/v1/users/${id}/devices`, { key });
    // The key's bucket refills within moments, so the check follows directly after several requests and repeats if they took too long.
    const remaining = async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => read(token)));
      expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
      return Number(/r=(\d+)/.exec((await read(account.liveKey)).headers.get('ratelimit')!)![1]);
    };
    await expect.poll(remaining, { timeout: 10_000, interval: 1_500 }).toBeLessThan(199);
    await sleep(2_000); // by then the token's own bucket is full again
    const startedAt = performance.now();
    const flood = Array.from({ length: 150 }, () => read(token));
    const results = await Promise.all(flood);
    const refilled = ((performance.now() - startedAt) / 1000) * 20;
    const allowed = results.filter((response) => response.status === 200).length;
    expect(allowed).toBeGreaterThanOrEqual(40);
    expect(allowed).toBeLessThan(Math.min(150, 45 + refilled));
    expect(results.at(-1)!.headers.get('ratelimit-policy')).toBe('"user";q=40;w=2, "key";q=200;w=2');
  });
});

describe('mobile tokens', () => {
  const issue = (body: object) => app.request('POST', '/v1/auth/mobile-token', { body });

  test('start with mt_, are stored as hashes, and have all scopes by default except those that people turn on', async () => {
    const { token } = (await issue({ user_id: userId })).body;
    expect(token).toMatch(/^mt_[0-9A-Za-z]{49}$/);
    const { rows } = await app.admin.query('SELECT scopes FROM mobile_tokens WHERE hash = $1', [
      hashSecret(token),
    ]);
    expect(rows[0].scopes).toEqual(defaultScopes);
    const limited = (await issue({ user_id: userId, scopes: ['sleep', 'vitals'] })).body.token;
    const result = await app.admin.query('SELECT scopes FROM mobile_tokens WHERE hash = $1', [
      hashSecret(limited),
    ]);
    expect(result.rows[0].scopes).toEqual(['sleep', 'vitals']);
  });

  test.each([[['unknown']], [[]], [['sleep', 'sleep']], ['sleep'], [[null]]])(
    'returns 400 for the scopes %j',
    async (wanted) => {
      expect((await issue({ user_id: userId, scopes: wanted })).body.error).toBe('invalid_request');
    },
  );

  // @contract all/credentials: A mobile token cannot be used for reads
  test('cannot be used for REST requests', async () => {
    const { token } = (await issue({ user_id: userId })).body;
    expect((await app.request('GET', `/v1/users/${userId}/devices`, { key: token })).body.error).toBe(
      'invalid_token',
    );
  });
});
