import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test/test-app.ts';

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

/** Sends bytes as they are, and answers with status, headers in lower case, and body. */
function sendRaw(...lines: string[]): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('error', reject).on('close', () => {
      const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
      resolve({ status: Number(answer.slice(9, 12)), head: head.toLowerCase(), body });
    });
    socket.write(lines.join('\r\n'));
    setTimeout(() => socket.end(), 100);
  });
}

const authorization = (): string => `Authorization: Bearer ${app.account.liveKey}`;

describe('an address that is none', () => {
  test.each([
    ['no JSON', { rawBody: '{' }],
    ['another content type', { rawBody: 'a=1', headers: { 'content-type': 'text/plain' } }],
    ['too much', { rawBody: `"${'x'.repeat(5_000)}"` }],
    ['what pollutes prototypes', { rawBody: '{"__proto__":{"admin":true}}' }],
  ])('is not found before its body is looked at: %s', async (_name, options) => {
    for (const [method, path] of [
      ['POST', '/v1/nothing'],
      ['PUT', '/v1/users'],
    ] as const) {
      const answer = await app.request(method, path, options);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ error: 'not_found', details: {} });
      expect(answer.headers.get('request-id')).toBeTruthy();
    }
  });
});

describe('a body that nobody asked for', () => {
  test('an empty one of type JSON does not keep a user from being deleted', async () => {
    const answer = await app.request('DELETE', `/v1/users/${await createUser()}`, { rawBody: '' });
    expect(answer.status).toBe(202);
  });

  test('one that is too large is refused as described', async () => {
    const rawBody = JSON.stringify('x'.repeat(5_000));
    const answer = await app.request('DELETE', `/v1/users/${await createUser()}`, { rawBody });
    expect(answer.status).toBe(413);
    expect(answer.body.error).toBe('payload_too_large');
  });

  test('an empty one is still refused where a body is needed', async () => {
    const answer = await app.request('POST', '/v1/users', { rawBody: '' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('A JSON body is required here.');
  });
});

test.each([
  ['of a length that it tells', 'Content-Length: 100000', 'x'.repeat(4_000), 'x'.repeat(96_000)],
  [
    'in chunks',
    'Transfer-Encoding: chunked',
    `fa0\r\n${'x'.repeat(4_000)}\r\n`,
    `fa0\r\n${'x'.repeat(4_000)}\r\n0\r\n\r\n`,
  ],
])('who sends too much, %s, is answered, and can go on', async (_name, length, first, rest) => {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  const head = ['POST /v1/users HTTP/1.1', 'Host: x', authorization(), 'Content-Type: application/json'];
  socket.write([...head, length, '', first].join('\r\n'));
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
  socket.write(`${rest}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await expect.poll(() => answer).toContain('HTTP/1.1 200 OK');
  socket.destroy();
});

test('a preflight lets any query pass: the call itself is judged', async () => {
  const path = `/v1/users/${await createUser()}/devices?from_date=2026-01-01`;
  expect((await app.request('OPTIONS', path)).status).toBe(204);
  expect((await app.request('GET', path)).status).toBe(400);
});

describe('what Node would refuse with an empty body', () => {
  test('HTTP/1.1 without Host', async () => {
    const { status, head, body } = await sendRaw('GET /v1/users HTTP/1.1', authorization(), '', '');
    expect(status).toBe(400);
    expect(head).toContain('content-type: application/json');
    expect(head).toContain('request-id: ');
    expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request', details: {} });
  });

  test('HTTP/1.0 knows no Host, and is served', async () => {
    const { status } = await sendRaw('GET /v1/users HTTP/1.0', authorization(), '', '');
    expect(status).toBe(200);
  });

  test('an expectation that nobody knows is ignored', async () => {
    const { status } = await sendRaw('GET /healthz HTTP/1.1', 'Host: x', 'Expect: miracles', '', '');
    expect(status).toBe(200);
  });
});

test.each(['[::', 'x:99999999', 'a b', '%', '@:'])('the reference survives the host %j', async (host) => {
  for (const path of ['/docs', '/docs/']) {
    const { status } = await sendRaw(`GET ${path} HTTP/1.1`, `Host: ${host}`, '', '');
    expect(status).toBeLessThan(500);
  }
});
