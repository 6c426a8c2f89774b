import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net, { createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { startCanary } from '../test/canary.ts';
import { listen } from '../test/apps/listen.ts';
import { createOutbound } from './outbound.ts';

const allow = ['127.0.0.1', 'localhost'];
const bounds = { method: 'POST', body: '{}', timeoutMs: 5_000, maxResponseBytes: 1_000 } as const;

const receive = (listener: RequestListener) => listen(createServer({ keepAliveTimeout: 30_000 }, listener));
const ok: RequestListener = (_, response) => response.end('ok');

test('sends a request as given and returns its response', async () => {
  await using receiver = await receive((request, response) => {
    const { method, url, headers } = request;
    const summary = [method, url, headers['host'], headers['x-test'], headers['content-length']].join(' ');
    response.writeHead(418, { 'x-summary': summary, 'retry-after': '7' });
    request.pipe(response);
  });
  await using outbound = createOutbound({ allow });
  const url = `http://localhost:${receiver.port}/a%20b?c=d`;
  const outboundResponse = await outbound.send({
    ...bounds,
    url,
    headers: { 'x-test': 'yes' },
    body: 'größer',
  });
  expect(outboundResponse).toMatchObject({
    status: 418,
    headers: { 'x-summary': `POST /a%20b?c=d localhost:${receiver.port} yes 8`, 'retry-after': '7' },
    isTruncated: false,
  });
  expect(outboundResponse.body.toString()).toBe('größer');
  expect(outboundResponse.milliseconds).toBeGreaterThanOrEqual(0);
});

test('closes a connection to any other than the checked address before writing a byte', async () => {
  await using receiver = await listen(createServer(ok), '::1');
  await using outbound = createOutbound({ allow });
  const connect = net.connect as (options: net.NetConnectOpts) => net.Socket;
  vi.spyOn(net as { connect: typeof connect }, 'connect').mockImplementation((options) =>
    connect({ ...options, host: '::1' }),
  );
  syncBuiltinESMExports();
  const sent = outbound.send({ ...bounds, url: `http://127.0.0.1:${receiver.port}/` });
  await expect(sent).rejects.toMatchObject({ reason: 'address_not_allowed' });
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
  expect(receiver.sockets.map((socket) => socket.bytesRead)).toEqual([0]);
});

test('ignores proxies from the environment', async () => {
  await using receiver = await receive(ok);
  await using canary = await startCanary(() => {});
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
    vi.stubEnv(name, `http://127.0.0.1:${canary.port}`);
  await using outbound = createOutbound({ allow });
  await outbound.send({ ...bounds, url: `http://127.0.0.1:${receiver.port}/` });
  vi.unstubAllEnvs();
  expect(canary.hits).toEqual([]);
});

describe('failures', () => {
  test.each<[what: string, serve: (socket: Socket) => void, reason: string]>([
    [
      'a connection closed before the response',
      (socket) => socket.once('data', () => socket.end()),
      'connection_failed',
    ],
    [
      'a connection reset before the response',
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
      'connection_failed',
    ],
    [
      'a connection closed within the response',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok')),
      'connection_failed',
    ],
    [
      'a response that is not HTTP',
      (socket) => socket.once('data', () => socket.end('220 mail.example.com ESMTP\r\n')),
      'response_invalid',
    ],
    [
      'endless headers',
      (socket) =>
        socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)),
      'response_too_large',
    ],
  ])('fails on %s', async (_, serve, reason) => {
    let arrived = 0;
    await using receiver = await listen(
      createTcpServer((socket) => {
        socket.on('data', (data) => (arrived += data.toString().split('POST ').length - 1));
        serve(socket);
      }),
    );
    await using outbound = createOutbound({ allow });
    const sent = outbound.send({ ...bounds, url: `http://127.0.0.1:${receiver.port}/` });
    await expect(sent).rejects.toMatchObject({ name: 'OutboundError', reason });
    // The receiver may have processed it, so nothing is sent twice.
    expect(arrived).toBeLessThanOrEqual(1);
  });

  test('do not mention addresses', async () => {
    await using outbound = createOutbound({ allow, resolve: () => Promise.resolve(['10.1.2.3']) });
    await using receiver = await receive(ok);
    const { port } = receiver;
    await receiver[Symbol.asyncDispose]();
    await expect(outbound.send({ ...bounds, url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
      reason: 'connection_failed',
      message: 'The host refused the connection.',
    });
    await expect(outbound.send({ ...bounds, url: 'https://hooks.example.com/' })).rejects.toMatchObject({
      reason: 'address_not_allowed',
      message: "The host's address is not on the public internet.",
    });
  });

  test('pass through unchanged when we caused them', async () => {
    await using outbound = createOutbound({ allow });
    const sent = outbound.send({ ...bounds, url: 'http://127.0.0.1:1/', headers: { 'x-bad': 'a\nb' } });
    await expect(sent).rejects.toMatchObject({ code: 'UND_ERR_INVALID_ARG' });
  });
});

describe('connections', () => {
  test('are reused', async () => {
    await using receiver = await receive(ok);
    await using outbound = createOutbound({ allow });
    for (let count = 0; count < 10; count += 1)
      await outbound.send({ ...bounds, url: `http://127.0.0.1:${receiver.port}/${count}` });
    expect(receiver.sockets).toHaveLength(1);
  });

  test('cause no failure when the receiver closed them while idle', async () => {
    // It closes without announcing it.
    await using receiver = await receive(({ socket }, response) =>
      response.end('ok', () => setImmediate(() => socket.destroy())),
    );
    await using outbound = createOutbound({ allow });
    for (let count = 1; count <= 50; count += 1) {
      await outbound.send({ ...bounds, url: `http://127.0.0.1:${receiver.port}/` });
      const socket = receiver.sockets.at(-1)!;
      if (!socket.closed) await once(socket, 'close');
      expect(receiver.sockets).toHaveLength(count);
    }
  });

  test('close when the receiver announces that it will close them', async () => {
    await using receiver = await receive((_, response) =>
      response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=2' }).end(),
    );
    await using outbound = createOutbound({ allow });
    await outbound.send({ ...bounds, url: `http://127.0.0.1:${receiver.port}/` });
    await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
  });

  test('close for the least recently used origin when there are too many', async () => {
    await using receiver = await receive(ok);
    const names = Array.from({ length: 1_005 }, (_, at) => `host-${at}`);
    await using outbound = createOutbound({ allow: names, resolve: () => Promise.resolve(['127.0.0.1']) });
    const call = (name: string) => outbound.send({ ...bounds, url: `http://${name}:${receiver.port}/` });
    for (const name of names.slice(0, 1_000)) await call(name);
    expect(receiver.open()).toBe(1_000);
    await call('host-0');
    expect(receiver.sockets).toHaveLength(1_000);
    for (const name of names.slice(1_000)) await call(name);
    await vi.waitFor(() => expect(receiver.open()).toBe(1_000), 5_000);
    await call('host-0');
    expect(receiver.sockets).toHaveLength(1_005);
  });
});

describe('cancellation', () => {
  test('cancels a request by signal, before or while it runs', async () => {
    await using receiver = await receive(() => {});
    await using outbound = createOutbound({ allow });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const before = outbound.send({ ...bounds, url, signal: AbortSignal.abort() });
    await expect(before).rejects.toMatchObject({ reason: 'stopped' });
    expect(receiver.sockets).toHaveLength(0);
    const within = outbound.send({ ...bounds, url, signal: AbortSignal.timeout(100) });
    await expect(within).rejects.toMatchObject({ reason: 'stopped' });
    await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
  });

  test('fails open requests on disposal, including during a DNS lookup, and leaves nothing open', async () => {
    await using receiver = await receive(() => {});
    await using idle = await receive(ok);
    const resolve = () => new Promise<string[]>(() => {});
    const outbound = createOutbound({ allow, resolve });
    await outbound.send({ ...bounds, url: `http://127.0.0.1:${idle.port}/` });
    const urls = [`http://127.0.0.1:${receiver.port}/`, 'https://hooks.example.com/'];
    const sent = urls.map((url) => outbound.send({ ...bounds, url, timeoutMs: 60_000 }));
    const outcomes = Promise.allSettled(sent);
    await vi.waitFor(() => expect(receiver.open()).toBe(1), 5_000);
    await outbound[Symbol.asyncDispose]();
    expect(await outcomes).toMatchObject(
      urls.map(() => ({ status: 'rejected', reason: { name: 'OutboundError', reason: 'stopped' } })),
    );
    await vi.waitFor(() => expect(receiver.open() + idle.open()).toBe(0), 5_000);
    await expect(outbound.send({ ...bounds, url: urls[0]! })).rejects.toMatchObject({ reason: 'stopped' });
    await outbound[Symbol.asyncDispose]();
  });

  test('cancels requests of a retired origin on disposal', async () => {
    await using receiver = await receive((request, response) => void (request.url === '/' && response.end()));
    const names = Array.from({ length: 1_001 }, (_, at) => `host-${at}`);
    const outbound = createOutbound({ allow: names, resolve: () => Promise.resolve(['127.0.0.1']) });
    const slow = outbound.send({ ...bounds, url: `http://host-0:${receiver.port}/slow`, timeoutMs: 60_000 });
    const outcomes = Promise.allSettled([slow]);
    for (const name of names.slice(1))
      await outbound.send({ ...bounds, url: `http://${name}:${receiver.port}/` });
    await outbound[Symbol.asyncDispose]();
    expect(await outcomes).toMatchObject([{ reason: { reason: 'stopped' } }]);
    await sleep(20);
    expect(receiver.open()).toBe(0);
  });
});
