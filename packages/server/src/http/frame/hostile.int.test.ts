import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let count = 0;

beforeAll(async () => {
  app = await startTestApp({ BODY_LIMIT_BYTES: '2048' });
});
afterAll(() => app[Symbol.asyncDispose]());

async function createUser(): Promise<string> {
  const { body } = await app.request('POST', '/v1/users', {
    body: { external_ref: `hostile-${(count += 1)}` },
  });
  return body.id;
}

/** Sends raw bytes and resolves to the status, lowercased headers, and body of the response. */
function sendRaw(...lines: string[]): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let response = '';
    socket.setEncoding('utf8').on('data', (text: string) => (response += text));
    socket.on('error', reject).on('close', () => {
      const [head = '', body = ''] = response.split(/\r\n\r\n(.*)/s);
      resolve({ status: Number(response.slice(9, 12)), head: head.toLowerCase(), body });
    });
    socket.write(lines.join('\r\n'));
    setTimeout(() => socket.end(), 100);
  });
}

const authorization = (): string => `Authorization: Bearer ${app.account.liveKey}`;

describe('a path that does not exist', () => {
  test.each([
    ['malformed JSON', { rawBody: '{' }],
    ['another content type', { rawBody: 'a=1', headers: { 'content-type': 'text/plain' } }],
    ['a body that is too large', { rawBody: `"${'x'.repeat(5_000)}"` }],
    ['prototype pollution', { rawBody: '{"__proto__":{"admin":true}}' }],
  ])('is rejected before its body is read: %s', async (_name, options) => {
    for (const [method, path, status, error] of [
      ['POST', '/v1/nothing', 404, 'not_found'],
      ['PUT', '/v1/users', 405, 'method_not_allowed'],
    ] as const) {
      const response = await app.request(method, path, options);
      expect(response.status).toBe(status);
      expect(response.body).toMatchObject({ error, details: {} });
      expect(response.headers.get('request-id')).toBeTruthy();
    }
  });
});

describe('an unexpected body', () => {
  test('allows an empty JSON body when deleting a user', async () => {
    const response = await app.request('DELETE', `/v1/users/${await createUser()}`, { rawBody: '' });
    expect(response.status).toBe(202);
  });

  test('rejects a body that is too large with 413', async () => {
    const rawBody = JSON.stringify('x'.repeat(5_000));
    const response = await app.request('DELETE', `/v1/users/${await createUser()}`, { rawBody });
    expect(response.status).toBe(413);
    expect(response.body.error).toBe('payload_too_large');
  });

  test('rejects an empty body where one is required', async () => {
    const response = await app.request('POST', '/v1/users', { rawBody: '' });
    expect(response.status).toBe(400);
    expect(response.body.message).toBe('This endpoint requires a JSON body.');
  });
});

test.each([
  ['with a content length', 'Content-Length: 100000', 'x'.repeat(4_000), 'x'.repeat(96_000)],
  [
    'in chunks',
    'Transfer-Encoding: chunked',
    `fa0\r\n${'x'.repeat(4_000)}\r\n`,
    `fa0\r\n${'x'.repeat(4_000)}\r\n0\r\n\r\n`,
  ],
])(
  'responds to a body that is too large, %s, and keeps the connection usable',
  async (_name, length, first, rest) => {
    const { hostname, port } = new URL(app.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let response = '';
    socket.setEncoding('utf8').on('data', (text: string) => (response += text));
    const head = ['POST /v1/users HTTP/1.1', 'Host: x', authorization(), 'Content-Type: application/json'];
    socket.write([...head, length, '', first].join('\r\n'));
    await expect.poll(() => response).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
    socket.write(`${rest}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => response).toContain('HTTP/1.1 200 OK');
    socket.destroy();
  },
);

test('accepts any query in a preflight and validates it in the request itself', async () => {
  const path = `/v1/users/${await createUser()}/devices?from_date=2026-01-01`;
  expect((await app.request('OPTIONS', path)).status).toBe(204);
  expect((await app.request('GET', path)).status).toBe(400);
});

describe('requests that Node would reject with an empty body', () => {
  test('rejects HTTP/1.1 without Host', async () => {
    const { status, head, body } = await sendRaw('GET /v1/users HTTP/1.1', authorization(), '', '');
    expect(status).toBe(400);
    expect(head).toContain('content-type: application/json');
    expect(head).toContain('request-id: ');
    expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request', details: {} });
  });

  test('serves HTTP/1.0, which has no Host', async () => {
    const { status } = await sendRaw('GET /v1/users HTTP/1.0', authorization(), '', '');
    expect(status).toBe(200);
  });

  test('ignores an unknown expectation', async () => {
    const { status } = await sendRaw('GET /healthz HTTP/1.1', 'Host: x', 'Expect: miracles', '', '');
    expect(status).toBe(200);
  });
});

test.each(['[::', 'x:99999999', 'a b', '%', '@:'])('serves the reference for the host %j', async (host) => {
  for (const path of ['/docs', '/docs/']) {
    const { status } = await sendRaw(`GET ${path} HTTP/1.1`, `Host: ${host}`, '', '');
    expect(status).toBeLessThan(500);
  }
});
