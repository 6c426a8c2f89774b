import { createServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { beforeAll, expect, test, vi } from 'vitest';
import { createCertificate } from '../test/certificate.ts';
import { listen } from '../test/apps/listen.ts';
import { createOutbound } from './outbound.ts';

const bounds = { method: 'POST', body: '{}', timeoutMs: 5_000, maxResponseBytes: 100 } as const;
const resolve = () => Promise.resolve(['127.0.0.1']);

const trusted = createCertificate(['hooks.example.com', 'localhost']);
const expired = createCertificate(['hooks.example.com'], Date.now() - 1_000);
const unknown = createCertificate(['hooks.example.com']);
beforeAll(() => setDefaultCACertificates([...getCACertificates('default'), trusted.cert, expired.cert]));

const serve = (certificate: typeof trusted) => {
  const server = createServer(certificate, (request, response) => {
    const { servername, alpnProtocol } = request.socket as TLSSocket & { servername: string };
    response.end(JSON.stringify({ servername, alpnProtocol }));
  });
  return listen(server.on('tlsClientError', () => {}));
};

/** Allows the address of the test server, so that the name in the URL is verified. */
const open = (port: number) => createOutbound({ allow: [`127.0.0.1:${port}`], resolve });

test('accepts a certificate for the name, and sends the name', async () => {
  await using receiver = await serve(trusted);
  await using outbound = open(receiver.port);
  for (let count = 0; count < 3; count += 1) {
    const response = await outbound.send({ ...bounds, url: `https://hooks.example.com:${receiver.port}/` });
    expect(JSON.parse(response.body.toString())).toEqual({
      servername: 'hooks.example.com',
      alpnProtocol: 'http/1.1',
    });
  }
  expect(receiver.sockets).toHaveLength(1);
});

test.each([
  ['for another name', trusted, 'other.example.com', "The host's certificate is for a different name."],
  ['that has expired', expired, 'hooks.example.com', "The host's certificate has expired."],
  ['that is self-signed', unknown, 'hooks.example.com', "The host's certificate is self-signed."],
])('rejects a certificate %s before sending the request', async (_, certificate, name, message) => {
  await using receiver = await serve(certificate);
  await using outbound = open(receiver.port);
  const sent = outbound.send({ ...bounds, url: `https://${name}:${receiver.port}/` });
  await expect(sent).rejects.toMatchObject({ reason: 'tls_failed', message });
  await vi.waitFor(() => expect(receiver.open()).toBe(0), 5_000);
});

test('verifies an allowed host like others, whatever the environment says', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  await using receiver = await serve(unknown);
  await using outbound = createOutbound({ allow: ['hooks.example.com', '127.0.0.1'], resolve });
  for (const host of ['hooks.example.com', '127.0.0.1']) {
    const sent = outbound.send({ ...bounds, url: `https://${host}:${receiver.port}/` });
    await expect(sent).rejects.toMatchObject({ reason: 'tls_failed' });
  }
  vi.unstubAllEnvs();
});

test.each<[what: string, serve: (socket: Socket) => void]>([
  [
    'does not speak TLS',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  ],
  ['closes the connection', (socket) => socket.once('data', () => socket.end())],
  ['closes the connection at once', (socket) => socket.end()],
  ['resets the connection', (socket) => socket.once('data', () => socket.resetAndDestroy())],
])('fails the handshake with a host that %s, without waiting for a deadline', async (_, onConnection) => {
  await using receiver = await listen(createTcpServer(onConnection));
  await using outbound = open(receiver.port);
  const sent = outbound.send({ ...bounds, url: `https://hooks.example.com:${receiver.port}/` });
  await expect(sent).rejects.toMatchObject({
    reason: 'tls_failed',
    message: 'The host did not complete the TLS handshake.',
  });
});
