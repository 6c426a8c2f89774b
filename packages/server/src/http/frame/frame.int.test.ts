import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestResponse } from '../../test/apps/test-app.ts';
import { createSecretToken } from '../../credentials/secret-token.ts';
import { holdTransaction } from '../../test/hold-transaction.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('health', () => {
  test('/healthz responds while the process lives, and /readyz lists components that are not ready', async () => {
    expect((await app.request('GET', '/healthz', { key: '' })).body).toEqual({ status: 'ok' });
    const ready = await app.request('GET', '/readyz', { key: '' });
    expect(ready.status).toBe(200);
    expect(ready.body).toEqual({
      status: 'ready',
      checks: { process: 'ok', database: 'ok', loops: 'ok', nats: 'ok', redis: 'ok' },
    });
  });

  test('serves the API without NATS and Redis and reports a degraded state', async () => {
    await using isolated = await startTestApp({
      NATS_URL: 'nats://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    expect((await isolated.request('POST', '/v1/users', { body: { reference_id: 'x' } })).status).toBe(201);
    const ready = await isolated.request('GET', '/readyz', { key: '' });
    expect(ready.status).toBe(200);
    expect(ready.body.checks.nats).toMatch(/^degraded/);
    expect(ready.body.checks.redis).toMatch(/^degraded/);
  });

  // @contract all/credentials: When the service is unavailable it returns 503 with `Retry-After`
  test('is not ready without its database and returns 503 with Retry-After', async () => {
    await using broken = await startTestApp();
    const { rows } = await broken.admin.query('SELECT current_database() AS name');
    await broken.admin.query(`ALTER DATABASE ${rows[0].name} CONNECTION LIMIT 0`);
    await broken.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    broken.ctx.credentials.clear();
    const ready = await broken.request('GET', '/readyz', { key: '' });
    expect(ready.status).toBe(503);
    expect(ready.body.checks.database).toMatch(/^not ready: /);
    const response = await broken.request('GET', '/v1/users');
    expect(response.status).toBe(503);
    expect(response.body.error).toBe('unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
  });
});

describe('paths and methods', () => {
  test.each([
    // @contract all/formats: The version is the first part of the path; other paths do not exist
    ['GET', '/v1'],
    ['GET', '/v1/user'],
    ['GET', '/v1/users//'],
    ['GET', '/docs/js/'],
    ['GET', '/v1/users/%zz'],
    ['GET', '/metrics'],
  ])('returns 404 for %s %s', async (method, path) => {
    const response = await app.request(method, path);
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ error: 'not_found', details: {} });
    expect(response.headers.get('request-id')).toMatch(/^req_/);
  });

  test.each([
    // @contract all/formats: A method that a path does not support is 405 `method_not_allowed`, and `Allow` lists those it does
    ['PUT', '/v1/users', 'GET, HEAD, POST'],
    ['PUT', '/v1/users/', 'GET, HEAD, POST'],
    ['HEAD', '/v1/auth/user-token', 'POST'],
    ['OPTIONS', '/v1/users', 'GET, HEAD, POST'],
    ['POST', '/v1/users/x', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/v1/users/x/daily', 'GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['PUT', '/dashboard/api/sign-in', 'POST'],
  ])('returns 405 for %s %s', async (method, path, allowed) => {
    const response = await app.request(method, path);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allowed);
    if (method !== 'HEAD') expect(response.body).toMatchObject({ error: 'method_not_allowed' });
  });
});

describe('HEAD', () => {
  /** Headers that differ between any two requests, or describe the connection: the client of this test closes it after HEAD. */
  const varying = new Set([
    'request-id',
    'date',
    'ratelimit',
    'transfer-encoding',
    'connection',
    'keep-alive',
  ]);
  /** An error contains the request ID, whose length varies. */
  const headersOf = ({ status, headers }: TestResponse) =>
    [...headers]
      .filter(([name]) => !varying.has(name) && (status < 400 || name !== 'content-length'))
      .map(([name, value]) => [name, value.replaceAll(/'nonce-[^']+'/g, "'nonce'")]);

  test.each([
    // @contract all/formats: HEAD has the status and headers of GET, without a body
    ['/v1/users?limit=2'],
    ['/v1/users/USER'],
    ['/v1/users/USER/daily?types=steps'],
    ['/v1/users/USER/daily/?types=steps'],
    ['/v1/users/USER/daily?types=nonsense'],
    ['/v1/users/USER/timeseries?metrics=heart_rate&start_date=2026-03-01&end_date=2026-03-01'],
    ['/v1/users/USER/devices'],
    ['/v1/users/unknown/sleep'],
    ['/v1/events'],
    ['/v1/metrics'],
    ['/healthz'],
    ['/openapi.json'],
    ['/docs'],
    ['/dashboard'],
    ['/'],
  ])('of %s has the headers of GET and no body', async (pattern) => {
    const { body } = await app.request('POST', '/v1/users', { body: { external_ref: randomUUID() } });
    const path = pattern.replace('USER', body.id);
    const get = await app.request('GET', path);
    const head = await app.request('HEAD', path);
    expect(head.status).toBe(get.status);
    expect(head.body).toBe('');
    expect(headersOf(head)).toEqual(headersOf(get));
  });

  test('returns 304 for a current tag, and 401 without a key', async () => {
    const { headers } = await app.request('GET', '/v1/users');
    const current = { 'if-none-match': headers.get('etag')! };
    expect((await app.request('HEAD', '/v1/users', { headers: current })).status).toBe(304);
    expect((await app.request('HEAD', '/v1/users', { key: '' })).status).toBe(401);
  });

  test('leaves the connection usable for the next request', async () => {
    let text = '';
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.on('data', (chunk) => (text += String(chunk)));
    for (const method of ['HEAD', 'GET']) socket.write(`${method} /v1/metrics HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => text.match(/HTTP\/1\.1 401/g)?.length, { timeout: 5_000 }).toBe(2);
    await expect.poll(() => text.match(/"missing_token"/g)?.length, { timeout: 5_000 }).toBe(1);
    socket.destroy();
  });
});

describe('a trailing slash', () => {
  // @contract all/formats: A trailing slash of a path is ignored
  test('is ignored for every method, with and without a query', async () => {
    const external_ref = randomUUID();
    const created = await app.request('POST', '/v1/users/', { body: { external_ref } });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect((await app.request('GET', `/v1/users/?external_ref=${external_ref}`)).body.data).toHaveLength(1);
    expect((await app.request('GET', `/v1/users/${id}/`)).status).toBe(200);
    const changed = await app.request('PATCH', `/v1/users/${id}/`, { body: { timezone: 'Asia/Tokyo' } });
    expect(changed.status).toBe(200);
    expect((await app.request('DELETE', `/v1/users/${id}/`)).status).toBe(202);
  });
});

test('returns 404 for an unknown path of the dashboard, whatever the method', async () => {
  expect((await app.request('PUT', '/dashboard/api/none')).status).toBe(404);
});

test('opens the page at / with any query', async () => {
  const { status, headers } = await app.request('GET', '/?utm_source=mail', { key: '' });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/html');
});

describe('limits', () => {
  test('returns 503 above the concurrent request limit but still serves probes', async () => {
    await using small = await startTestApp({ MAX_IN_FLIGHT: '3' });
    const responses = await Promise.all(Array.from({ length: 40 }, () => small.request('GET', '/v1/users')));
    const statuses = new Set(responses.map((response) => response.status));
    expect([...statuses].toSorted()).toEqual([200, 503]);
    expect((await small.request('GET', '/healthz')).status).toBe(200);
    expect((await small.request('GET', '/v1/users')).status).toBe(200);
  });

  test('returns 503 for a statement that exceeds its time limit', async () => {
    await using slow = await startTestApp({ DATABASE_STATEMENT_TIMEOUT_MS: '300' });
    await using blocker = await holdTransaction(slow.admin);
    await blocker.query('LOCK TABLE users');
    const response = await slow.request('GET', '/v1/users');
    await blocker.commit();
    expect(response.status).toBe(503);
    expect((await slow.request('GET', '/v1/users')).status).toBe(200);
  });

  test('stops counting a client that disconnects', async () => {
    const port = Number(new URL(app.url).port);
    for (let at = 0; at < 20; at += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `POST /v1/users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.account.liveKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"ref`,
      );
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.destroy();
    }
    await expect.poll(async () => (await app.ctx.metrics.requestsInFlight.get()).values[0]?.value).toBe(0);
  });

  test('returns a JSON error for malformed HTTP', async () => {
    const response = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write('HELLO\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk)));
      socket.on('close', () => resolve(text));
    });
    expect(response).toMatch(/^HTTP\/1.1 400 /);
    expect(response).toMatch(/\r\nRequest-Id: req_/);
    expect(JSON.parse(response.slice(response.indexOf('{')))).toMatchObject({
      error: 'invalid_request',
      details: {},
    });
  });

  describe('of an address that sends invalid credentials', () => {
    let guarded: TestApp;
    beforeAll(async () => {
      guarded = await startTestApp({
        ADDRESS_LIMIT_PER_SECOND: '1',
        ADDRESS_LIMIT_BURST: '5',
        REDIS_URL: '',
      });
    });
    afterAll(() => guarded[Symbol.asyncDispose]());
    const statusesOf = async (times: number, nextKey: () => string): Promise<number[]> => {
      const statuses: number[] = [];
      for (let at = 0; at < times; at += 1)
        statuses.push((await guarded.request('GET', '/v1/users', { key: nextKey() })).status);
      return statuses;
    };

    test.each([
      ['malformed key', () => 'sk_live_x'],
      ['forged SDK token', () => `sdk_${'A'.repeat(94)}`],
      ['forged user token', () => 'a.b.c'],
      ['missing key', () => ''],
    ])('throttles it, but not its valid keys: %s', async (_name, nextKey) => {
      // A key that this node has not found before and does not have in its cache.
      const { liveKey } = await guarded.createAccount();
      expect((await statusesOf(8, nextKey)).at(-1)).toBe(429);
      const response = await guarded.request('GET', '/v1/users', { key: liveKey });
      expect(response.status).toBe(200);
    });

    test('throttles lookups of unknown keys, but not of keys that this node has found before', async () => {
      expect(await statusesOf(1, () => guarded.account.liveKey)).toEqual([200]);
      const statuses = await statusesOf(8, () => createSecretToken('sk_live_'));
      expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
      expect(statuses.at(-1)).toBe(429);
      const response = await guarded.request('GET', '/v1/users', { key: createSecretToken('sk_live_') });
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.headers.get('ratelimit')).toBeNull();
      guarded.ctx.credentials.clear();
      expect(await statusesOf(1, () => guarded.account.liveKey)).toEqual([200]);
    });
  });
});

describe('browsers', () => {
  const read = (headers: Record<string, string>, method = 'GET') =>
    app.request(method, '/v1/users/user_x/devices', {
      key: '',
      headers: { origin: 'https://app.example', ...headers },
    });

  // @contract all/credentials: Browsers may read with a user token but cannot read responses to API keys
  test('may send preflight requests', async () => {
    const response = await read(
      { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
      'OPTIONS',
    );
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'Authorization, API-Form, If-None-Match',
    );
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  // @contract all/credentials: Browsers may read with a user token but cannot read responses to API keys
  test('can read responses to user tokens, including errors, but never those to API keys', async () => {
    expect((await read({ authorization: 'Bearer a.b.c' })).headers.get('access-control-allow-origin')).toBe(
      '*',
    );
    expect((await read({})).headers.get('access-control-allow-origin')).toBe('*');
    const keyed = await read({ authorization: `Bearer ${app.account.liveKey}` });
    expect(keyed.headers.get('access-control-allow-origin')).toBeNull();
    expect((await app.request('GET', '/v1/users')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('each request has a line in the log, with its route instead of its URL', async () => {
  const lines: string[] = [];
  await using logged = await startTestApp({ LOG_LEVEL: 'info' }, (line) => void lines.push(line));
  const { headers } = await logged.request('GET', '/v1/users?external_ref=private', {
    key: logged.account.liveKey,
  });
  await logged.request('GET', '/v1/users', { key: 'sk_live_wrong' });
  await logged.request('GET', '/healthz');
  const written = () =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request');
  await expect.poll(() => written().length).toBe(2);
  expect(written()[0]).toMatchObject({
    level: 'info',
    requestId: headers.get('request-id'),
    credential: expect.stringMatching(/^key_/),
    method: 'GET',
    route: '/v1/users',
    status: 200,
    ms: expect.any(Number),
  });
  expect(written()[1]).toMatchObject({ route: '/v1/users', status: 401 });
  expect(written()[1]).not.toHaveProperty('credential');
  expect(lines.join('')).not.toContain('private');
});

test('requests have no line in the log if the operator turns them off', async () => {
  const lines: string[] = [];
  const env = { LOG_LEVEL: 'info', LOG_REQUESTS: 'false' };
  await using logged = await startTestApp(env, (line) => void lines.push(line));
  await logged.request('GET', '/v1/users', { key: logged.account.liveKey });
  await logged.request('GET', '/v1/users', { key: 'sk_live_wrong' });
  expect(lines.join('')).not.toContain('"msg":"request"');
});

test('logs contain a request ID but no secrets or user input', async () => {
  const lines: string[] = [];
  await using logged = await startTestApp({ LOG_LEVEL: 'debug' }, (line) => void lines.push(line));
  const secretive = 'very-private-reference';
  await logged.request('POST', '/v1/users', {
    body: { reference_id: secretive, profile: { weight_kg: 64.25 } },
  });
  await logged.request('GET', `/v1/users?external_ref=${secretive}`);
  await logged.request('GET', '/v1/users', { key: 'sk_live_wrong' });
  await logged.admin.query('ALTER TABLE users RENAME TO users_gone');
  expect((await logged.request('POST', '/v1/users', { body: { reference_id: secretive } })).status).toBe(500);
  await logged.admin.query('ALTER TABLE users_gone RENAME TO users');
  const text = lines.join('');
  expect(text).toMatch(/"requestId":"req_/);
  expect(text).toMatch(/"level":"error"/);
  for (const secret of [secretive, '64.25', logged.account.liveKey, 'sk_live_wrong', 'Bearer'])
    expect(text).not.toContain(secret);
});
