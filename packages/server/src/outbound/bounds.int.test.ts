import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { listen } from '../test/apps/listen.ts';
import type { OutboundRequest } from './exchange.ts';
import { createOutbound } from './outbound.ts';

const allow = ['127.0.0.1'];
const bounds = { method: 'GET', timeoutMs: 5_000, maxResponseBytes: 1_000 } as const;
const receive = (listener: RequestListener) => listen(createServer(listener));

describe('time limits', () => {
  const timeoutMs = 250;

  /** Expects the request to fail at its deadline, in whatever phase it is. */
  async function expectTimeout(options: Parameters<typeof createOutbound>[0], url: string): Promise<void> {
    await using outbound = createOutbound(options);
    const begin = performance.now();
    await expect(outbound.send({ ...bounds, url, timeoutMs })).rejects.toMatchObject({
      reason: 'timeout',
      message: 'The response was not complete within 250 milliseconds.',
    });
    const took = performance.now() - begin;
    expect(took).toBeGreaterThan(timeoutMs - 10);
    expect(took).toBeLessThan(timeoutMs + 2_000);
  }

  test('times out when DNS does not respond', async () => {
    const resolve = () => new Promise<string[]>(() => {});
    await expectTimeout({ allow, resolve }, 'https://hooks.example.com/');
  });

  test('times out when the host accepts no connection', async () => {
    await using deaf = await startDeafListener();
    await expectTimeout({ allow }, `http://127.0.0.1:${deaf.port}/`);
  });

  test('times out when the host does not complete the TLS handshake', async () => {
    await using receiver = await listen(createTcpServer());
    await expectTimeout({ allow }, `https://127.0.0.1:${receiver.port}/`);
  });

  test('times out when the response does not begin', async () => {
    await using receiver = await receive(() => {});
    await expectTimeout({ allow }, `http://127.0.0.1:${receiver.port}/`);
    await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
  });

  test('times out when the headers arrive too slowly', async () => {
    await using receiver = await listen(
      createTcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('x: y\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    await expectTimeout({ allow }, `http://127.0.0.1:${receiver.port}/`);
  });

  test('times out when the body arrives too slowly', async () => {
    await using receiver = await receive((_, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    await expectTimeout({ allow }, `http://127.0.0.1:${receiver.port}/`);
    await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
  });

  test('does not delay other requests while one waits', async () => {
    await using receiver = await receive((_, response) => response.end());
    const resolve = () => new Promise<string[]>(() => {});
    await using outbound = createOutbound({ allow, resolve });
    const stuck = Array.from({ length: 300 }, () =>
      outbound.send({ ...bounds, url: 'https://hooks.example.com/', timeoutMs: 2_000 }),
    );
    const failed = Promise.allSettled(stuck);
    const { milliseconds } = await outbound.send({ ...bounds, url: `http://127.0.0.1:${receiver.port}/` });
    expect(milliseconds).toBeLessThan(1_000);
    for (const one of await failed) expect(one).toMatchObject({ reason: { reason: 'timeout' } });
  });
});

describe.concurrent('ten-second limits', () => {
  test('stops an attempt to connect, however long the request may take', async () => {
    await using deaf = await startDeafListener();
    await using outbound = createOutbound({ allow });
    const begin = performance.now();
    const sent = outbound.send({ ...bounds, url: `http://127.0.0.1:${deaf.port}/`, timeoutMs: 60_000 });
    await expect(sent).rejects.toMatchObject({
      reason: 'timeout',
      message: 'Could not connect to the host within 10 seconds.',
    });
    expect(performance.now() - begin).toBeLessThan(13_000);
  });

  test('closes an idle connection', async () => {
    await using receiver = await listen(
      createServer({ keepAliveTimeout: 0 }, (_, response) => response.end()),
    );
    await using outbound = createOutbound({ allow });
    await outbound.send({ ...bounds, url: `http://127.0.0.1:${receiver.port}/` });
    const begin = performance.now();
    await vi.waitFor(() => expect(receiver.open()).toBe(0), 13_000);
    expect(performance.now() - begin).toBeGreaterThan(9_000);
  });
});

describe('size limits', () => {
  const send = async (size: number | null, count = 1) => {
    let written = 0;
    const receiver = await receive((_, response) => {
      if (size !== null) return response.end('x'.repeat(size));
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000))) written += 10_000;
      };
      response.on('drain', pour);
      pour();
    });
    await using stack = new AsyncDisposableStack();
    stack.use(receiver);
    const outbound = stack.use(createOutbound({ allow }));
    const request: OutboundRequest = { ...bounds, url: `http://127.0.0.1:${receiver.port}/` };
    let outboundResponse = await outbound.send(request);
    for (let more = 1; more < count; more += 1) outboundResponse = await outbound.send(request);
    if (size === null) await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
    return { response: outboundResponse, written, connections: receiver.sockets.length };
  };

  test('returns a response of exactly the limit in full', async () => {
    const { response } = await send(1_000);
    expect(response).toMatchObject({ status: 200, isTruncated: false });
    expect(response.body).toHaveLength(1_000);
  });

  test('truncates a longer response and reuses its connection', async () => {
    const { response, connections } = await send(1_001, 3);
    expect(response).toMatchObject({ status: 200, isTruncated: true });
    expect(response.body.toString()).toBe('x'.repeat(1_000));
    expect(connections).toBeLessThanOrEqual(2);
  });

  test('truncates a response of one megabyte and closes its connection', async () => {
    const { response, connections } = await send(1_000_000, 3);
    expect(response).toMatchObject({ status: 200, isTruncated: true });
    expect(connections).toBe(3);
  });

  test('truncates an endless response and closes its connection', async () => {
    const { response, written } = await send(null);
    expect(response).toMatchObject({ status: 200, isTruncated: true });
    expect(response.body).toHaveLength(1_000);
    // The buffers of two sockets hold this much.
    expect(written).toBeLessThan(20_000_000);
  });
});

/** Opens a port that neither accepts nor refuses connections: its queue is full and the thread that should accept them sleeps. */
async function startDeafListener(): Promise<{ port: number } & AsyncDisposable> {
  const worker = new Worker(
    `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       require('node:worker_threads').parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000);
     });`,
    { eval: true },
  );
  const [port] = (await once(worker, 'message')) as [number];
  const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await vi.waitFor(() => expect(waiting.filter((socket) => !socket.connecting).length).toBeGreaterThan(0));
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    },
  };
}
