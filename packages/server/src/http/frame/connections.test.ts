import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Connections } from './connections.ts';

const question = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';

/** A server whose responses the test controls, with connections to it. */
async function listen(onRequest: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => onRequest(response));
  const connections = new Connections(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.resume();
    // Closing a connection with unread requests resets it.
    socket.on('error', () => {});
    return socket;
  };
  return { connections, open, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

test('closes a connection without a request but not one that waits for its response', async () => {
  const waiting = Promise.withResolvers<ServerResponse>();
  using server = await listen(waiting.resolve);
  const [silent, partialSocket, requestSocket] = [
    await server.open(),
    await server.open(),
    await server.open(),
  ];
  partialSocket.write(question.slice(0, 20));
  requestSocket.write(question);
  const response = await waiting.promise;

  using _ = server.connections.closeQuiet();
  await Promise.all([once(silent, 'close'), once(partialSocket, 'close')]);
  const [chunk] = await Promise.all([
    once(requestSocket, 'data'),
    sleep(600).then(() => response.end('late')),
  ]);
  expect(String(chunk)).toContain('200 OK');
});

test('waits for connections while clients use them', async () => {
  using server = await listen((response) => response.end('served'));
  const socket = await server.open();
  const asking = setInterval(() => socket.write(question), 50);
  const retired = server.connections.retire(10_000).then(() => performance.now());
  await sleep(700);
  clearInterval(asking);
  const stoppedAt = performance.now();
  expect((await retired) - stoppedAt).toBeGreaterThan(0);
  expect((await retired) - stoppedAt).toBeLessThan(2_000);
});

test('does not wait for idle connections, and waits for busy ones only up to the limit', async () => {
  using server = await listen((response) => response.end('served'));
  const socket = await server.open();
  const startedAt = performance.now();
  await server.connections.retire(10_000);
  expect(performance.now() - startedAt).toBeLessThan(2_000);

  const asking = setInterval(() => socket.write(question), 50);
  await server.connections.retire(400);
  clearInterval(asking);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});
