import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { listen } from '../test/listen.ts';
import type { OutboundRequest } from './exchange.ts';
import { createOutbound } from './outbound.ts';

const allow = ['127.0.0.1'];
const bounds = { method: 'GET', timeoutMs: 5_000, mostAnswerBytes: 1_000 } as const;
const receive = (listener: RequestListener) => listen(createServer(listener));

describe('time', () => {
  const timeoutMs = 250;

  /** The request fails at its deadline, wherever it is then. */
  async function expectTimeout(options: Parameters<typeof createOutbound>[0], url: string): Promise<void> {
    await using outbound = createOutbound(options);
    const begin = performance.now();
    await expect(outbound.send({ ...bounds, url, timeoutMs })).rejects.toMatchObject({
      reason: 'timeout',
      message: 'The answer was not whole within 250 milliseconds.',
    });
    const took = performance.now() - begin;
    expect(took).toBeGreaterThan(timeoutMs - 10);
    expect(took).toBeLessThan(timeoutMs + 2_000);
  }

  test('ends with DNS that does not answer', async () => {
    const resolve = () => new Promise<string[]>(() => {});
    await expectTimeout({ allow, resolve }, 'https://hooks.example.com/');
  });

  test('ends with a host that accepts no connection', async () => {
    await using deaf = await startDeafListener();
    await expectTimeout({ allow }, `http://127.0.0.1:${deaf.port}/`);
  });

  test('ends with a host that does not answer the handshake', async () => {
    await using receiver = await listen(createTcpServer());
    await expectTimeout({ allow }, `https://127.0.0.1:${receiver.port}/`);
  });

  test('ends with an answer that does not begin', async () => {
    await using receiver = await receive(() => {});
    await expectTimeout({ allow }, `http://127.0.0.1:${receiver.port}/`);
    await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
  });

  test('ends with headers that drip', async () => {
    await using receiver = await listen(
      createTcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('x: y\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    await expectTimeout({ allow }, `http://127.0.0.1:${receiver.port}/`);
  });

  test('ends with a body that drips', async () => {
    await using receiver = await receive((_, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    await expectTimeout({ allow }, `http://127.0.0.1:${receiver.port}/`);
    await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
  });

  test('one that waits for nothing does not hold up another', async () => {
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

describe.concurrent('ten seconds', () => {
  test('end an attempt to connect, however long the request may take', async () => {
    await using deaf = await startDeafListener();
    await using outbound = createOutbound({ allow });
    const begin = performance.now();
    const sent = outbound.send({ ...bounds, url: `http://127.0.0.1:${deaf.port}/`, timeoutMs: 60_000 });
    await expect(sent).rejects.toMatchObject({
      reason: 'timeout',
      message: 'No connection to the host could be made within 10 seconds.',
    });
    expect(performance.now() - begin).toBeLessThan(13_000);
  });

  test('end a connection that nobody uses', async () => {
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

describe('size', () => {
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
    let answer = await outbound.send(request);
    for (let more = 1; more < count; more += 1) answer = await outbound.send(request);
    if (size === null) await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
    return { answer, written, connections: receiver.sockets.length };
  };

  test('an answer of just the bound is whole', async () => {
    const { answer } = await send(1_000);
    expect(answer).toMatchObject({ status: 200, cut: false });
    expect(answer.body).toHaveLength(1_000);
  });

  test('a longer one is cut, and its connection used again', async () => {
    const { answer, connections } = await send(1_001, 3);
    expect(answer).toMatchObject({ status: 200, cut: true });
    expect(answer.body.toString()).toBe('x'.repeat(1_000));
    expect(connections).toBeLessThanOrEqual(2);
  });

  test('one of a megabyte is cut, and its connection closed', async () => {
    const { answer, connections } = await send(1_000_000, 3);
    expect(answer).toMatchObject({ status: 200, cut: true });
    expect(connections).toBe(3);
  });

  test('one without end is cut, and its connection closed', async () => {
    const { answer, written } = await send(null);
    expect(answer).toMatchObject({ status: 200, cut: true });
    expect(answer.body).toHaveLength(1_000);
    // What the buffers of two sockets hold.
    expect(written).toBeLessThan(20_000_000);
  });
});

/** A port where connections are neither accepted nor refused: its queue is full, and who should empty it sleeps. */
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
