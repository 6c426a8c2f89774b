import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from './app.ts';
import { findProvider } from '@tributary/providers';
import { findApp } from '../../services/providers/find-app.ts';
import { pushUrlOf } from '../../services/providers/push-address.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

/** A connection that sends a request in pieces. */
class Sender {
  readonly #socket: Socket;
  received = '';
  isClosed = false;

  constructor(app: TestApp, head: readonly string[], body = '') {
    const { hostname, port } = new URL(app.url);
    this.#socket = connect({ host: hostname, port: Number(port) });
    this.#socket.setEncoding('utf8').on('data', (text: string) => (this.received += text));
    this.#socket.on('error', () => {}).on('close', () => (this.isClosed = true));
    this.send(`${head.join('\r\n')}\r\n\r\n${body}`);
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  get status(): number {
    return Number(this.received.slice(9, 12));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Busy machines need longer. */
const patient = { timeout: 10_000 };

const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';

function post(path: string, length: number, ...headers: string[]): string[] {
  return [`POST ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${length}`, ...headers];
}

async function pathOfPushes({ ctx }: TestApp): Promise<string> {
  const providerApp = await findApp(ctx, ctx.db, 'sandbox', findProvider('oura')!);
  return new URL(pushUrlOf(ctx, 'sandbox', 'oura', providerApp!)).pathname;
}

const createUser = (app: TestApp): string[] =>
  post('/v1/users', 100, json, `Authorization: Bearer ${app.account.liveKey}`);

const metricOf = async (app: TestApp, name: 'unfinishedBodies' | 'requestBodyBytes' | 'requestsInFlight') =>
  (await app.ctx.metrics[name].get()).values[0]?.value ?? 0;

describe('unfinished requests', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ MAX_IN_FLIGHT: '3', LAB_URL: 'http://127.0.0.1:8090' });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test.each([
    ['a push to an unknown URL', () => post('/push/live/oura/x', 1_000, json), 404],
    ['an unknown path', () => post('/v1/none', 1_000, json), 404],
    ['an invalid key', () => post('/v1/users', 1_000, json, 'Authorization: Bearer sk_live_x'), 401],
    ['an invalid SDK token', () => post('/v1/sdk/batches', 1_000, json, 'Authorization: Bearer sdk_x'), 401],
    ['no session', () => post('/dashboard/api/password', 1_000, json, 'Sec-Fetch-Site: same-origin'), 401],
    ['a read', () => ['GET /healthz HTTP/1.1', 'Host: x', 'Content-Length: 9'], 200],
  ])('with %s get their response before the body arrives', async (_name, head, status) => {
    using sender = new Sender(app, head().concat('Origin: http://127.0.0.1:0'), '{');
    await expect.poll(() => sender.status, patient).toBe(status);
    expect(await metricOf(app, 'unfinishedBodies')).toBe(0);
  });

  test.each([
    ['sign-in', post('/dashboard/api/sign-in', 100, json, 'Origin: http://127.0.0.1:0')],
    ['a token exchange', post('/v1/sdk/sessions/exchange', 100, json)],
    ['a hosted page', post('/invitations/x', 100, form)],
    ['a preflight', ['OPTIONS /v1/users/x/daily HTTP/1.1', 'Host: x', json, 'Content-Length: 100']],
  ])('of %s take no slots', async (_name, head) => {
    using stack = new DisposableStack();
    // While the limit of its address is checked, a request has a slot.
    for (let count = 1; count <= 10; count += 1) {
      stack.use(new Sender(app, head, '{'));
      await expect.poll(() => metricOf(app, 'unfinishedBodies'), patient).toBe(count);
    }
    expect((await app.request('GET', '/v1/users')).status).toBe(200);
    expect(await metricOf(app, 'requestsInFlight')).toBe(0);
    stack.dispose();
    await expect.poll(() => metricOf(app, 'unfinishedBodies'), patient).toBe(0);
  });

  test('of providers take no slots and are processed when their body is complete', async () => {
    using stack = new DisposableStack();
    const head = post(await pathOfPushes(app), 2, json);
    const senders: Sender[] = [];
    for (let count = 1; count <= 6; count += 1) {
      senders.push(stack.use(new Sender(app, head, '{')));
      await expect.poll(() => metricOf(app, 'unfinishedBodies'), patient).toBe(count);
    }
    expect((await app.request('GET', '/v1/users')).status).toBe(200);
    senders[0]!.send('}');
    // Whether the push is genuine is decided with its body.
    await expect.poll(() => senders[0]!.status, patient).toBeGreaterThan(0);
    expect(senders[0]!.status).not.toBe(404);
    expect(await metricOf(app, 'unfinishedBodies')).toBe(5);
  });

  test('count as soon as their body is complete', async () => {
    using sender = new Sender(app, createUser(app), '{');
    await expect.poll(() => metricOf(app, 'unfinishedBodies'), patient).toBe(1);
    sender.send(`"external_ref":"late"${' '.repeat(76)} }`);
    await expect.poll(() => sender.status, patient).toBe(201);
    await expect.poll(() => metricOf(app, 'requestsInFlight'), patient).toBe(0);
    await expect.poll(() => metricOf(app, 'requestBodyBytes'), patient).toBe(0);
  });

  test('of anonymous senders may have small bodies only', async () => {
    for (const [path, type] of [
      ['/dashboard/api/sign-in', json],
      ['/v1/sdk/sessions/exchange', json],
      ['/invitations/x', form],
    ] as const) {
      using sender = new Sender(app, post(path, 9_000, type, 'Origin: http://127.0.0.1:0'));
      await expect.poll(() => sender.status, patient).toBe(413);
    }
  });
});

describe('bodies that arrive slowly', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({
      REQUEST_TIMEOUT_MS: '1500',
      REQUEST_BYTES_PER_SECOND: '1000',
      ANONYMOUS_TIMEOUT_MS: '500',
      HEADERS_TIMEOUT_MS: '500',
    });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('are rejected, those of anonymous senders first', async () => {
    using known = new Sender(app, createUser(app), '{');
    using anonymous = new Sender(app, post('/v1/sdk/sessions/exchange', 100, json), '{');
    await expect.poll(() => anonymous.status, patient).toBe(429);
    expect(anonymous.received.toLowerCase()).toMatch(/\r\nretry-after: 1\r\n/);
    expect(anonymous.received).toContain('arrived too slowly');
    expect(known.status).toBe(0);
    await expect.poll(() => known.status, patient).toBe(429);
    await expect.poll(() => known.isClosed && anonymous.isClosed, patient).toBe(true);
  });

  test('are accepted at the documented rate', async () => {
    const length = 4_000;
    using sender = new Sender(
      app,
      post('/v1/users', length, json, `Authorization: Bearer ${app.account.liveKey}`),
      '{',
    );
    // 900 bytes a second: less than the rate, but within the time that every body has.
    for (let sent = 1; sent < length - 1; sent += 450) {
      await sleep(500);
      sender.send(' '.repeat(Math.min(450, length - 1 - sent)));
    }
    sender.send('}');
    await expect.poll(() => sender.status, patient).toBeGreaterThan(0);
    expect(sender.status).not.toBe(429);
  });

  test('keep a connection open only briefly after their response', async () => {
    using sender = new Sender(app, post('/push/live/oura/x', 1_000, json), '{');
    await expect.poll(() => sender.status, patient).toBe(404);
    expect(sender.isClosed).toBe(false);
    await expect.poll(() => sender.isClosed, patient).toBe(true);
  });

  test('do not begin before the headers are complete', async () => {
    using sender = new Sender(app, ['GET /healthz HTTP/1.1', 'Host: x'].slice(0, 1));
    using unfinished = new Sender(app, []);
    unfinished.send('GET /healthz HTTP/1.1\r\nX: ');
    await expect.poll(() => unfinished.status, patient).toBeGreaterThanOrEqual(400);
    await expect.poll(() => unfinished.isClosed, patient).toBe(true);
    expect(sender.status).toBe(400);
  });
});

describe('limits of an address and of a node', () => {
  test('the oldest unfinished body of an address gives its place to a new one', async () => {
    await using app = await startTestApp({
      MAX_UNFINISHED_BODIES_PER_ADDRESS: '2',
      TRUST_PROXY: '127.0.0.1',
    });
    const send = (address: string) =>
      new Sender(app, [...createUser(app), `X-Forwarded-For: ${address}`], '{');
    using other = send('192.0.2.9');
    await expect.poll(() => metricOf(app, 'unfinishedBodies'), patient).toBe(1);
    using stack = new DisposableStack();
    const senders: Sender[] = [];
    for (let count = 0; count < 4; count += 1) {
      senders.push(stack.use(send('192.0.2.1')));
      await expect.poll(() => metricOf(app, 'unfinishedBodies'), patient).toBe(Math.min(count + 2, 3));
    }
    await expect.poll(() => senders.map(({ status }) => status), patient).toEqual([429, 429, 0, 0]);
    expect(senders[0]!.received).toContain('rate_limited');
    expect(other.status).toBe(0);
  });

  test('the oldest unfinished body of a node gives its place to a new one', async () => {
    await using app = await startTestApp({ MAX_UNFINISHED_BODIES: '2' });
    using anonymous = new Sender(app, post('/v1/sdk/sessions/exchange', 100, json), '{');
    await expect.poll(() => metricOf(app, 'unfinishedBodies'), patient).toBe(1);
    using stack = new DisposableStack();
    const senders: Sender[] = [];
    for (let count = 0; count < 3; count += 1) {
      senders.push(stack.use(new Sender(app, createUser(app), '{')));
      await expect.poll(() => metricOf(app, 'unfinishedBodies'), patient).toBe(Math.min(count + 2, 3));
    }
    await expect.poll(() => senders.map(({ status }) => status), patient).toEqual([503, 0, 0]);
    expect(senders[0]!.received.toLowerCase()).toMatch(/\r\nretry-after: 1\r\n/);
    expect(anonymous.status).toBe(0);
  });

  test.each([
    ['an address', { MAX_BODY_MEMORY_BYTES_PER_ADDRESS: '200000' }, 429],
    ['a node', { MAX_BODY_MEMORY_BYTES: '200000' }, 503],
  ])('bodies beyond the memory of %s are rejected and leave room for others', async (_name, env, status) => {
    await using app = await startTestApp(env);
    const key = `Authorization: Bearer ${app.account.liveKey}`;
    using stack = new DisposableStack();
    const sizes = [90_000, 90_000, 90_000];
    const senders = sizes.map((size) =>
      stack.use(new Sender(app, post('/v1/users', size, json, key), '{'.padEnd(size - 10))),
    );
    await expect.poll(() => senders.filter((sender) => sender.status === status).length, patient).toBe(1);
    expect(senders.filter((sender) => sender.status === 0)).toHaveLength(2);
    await expect.poll(() => metricOf(app, 'requestBodyBytes'), patient).toBeLessThan(200_000);
    const small = await app.request('POST', '/v1/users', { body: { external_ref: 'small' } });
    expect(small.status).toBe(201);
    stack.dispose();
    await expect.poll(() => metricOf(app, 'requestBodyBytes'), patient).toBe(0);
  });
});

test('every route that reads a body requires a credential or limits the body', async () => {
  await using app = await startTestApp();
  const routes: RouteOptions[] = [];
  const built = await buildApp(app.ctx, (route) => routes.push(route));
  await built.ready();
  const isRead = ({ method }: RouteOptions) =>
    [method].flat().every((name) => name === 'GET' || name === 'HEAD');
  const open = routes.filter((route) => {
    const { access, role, anonymousBody } = route.config ?? {};
    const isProtected = (access && !access.open) || (role !== undefined && role !== 'anyone');
    return !isRead(route) && !isProtected && !anonymousBody;
  });
  // The path of a push contains its credential.
  expect(open.map(({ url }) => url)).toEqual(['/push/:environment/:provider/:secret']);
  await built.close();
});
