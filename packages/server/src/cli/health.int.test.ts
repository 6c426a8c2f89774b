import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const program = new URL('../main.ts', import.meta.url).pathname;

async function serve(status: number): Promise<number> {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/readyz' ? status : 404).end(JSON.stringify({ checks: { nats: 'ok' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Runs the command without the other settings of the service. */
async function checkHealth(port: number, host = '0.0.0.0') {
  const env = { PATH: process.env['PATH'], METRICS_HOST: host, METRICS_PORT: String(port) };
  const run = promisify(execFile)(process.execPath, [program, 'health'], { env });
  return run.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test.each([
  [200, 0],
  [503, 1],
])('a service that responds %i exits with %i', async (status, code) => {
  const { code: exitCode, stdout } = await checkHealth(await serve(status));
  expect(exitCode).toBe(code);
  expect(stdout).toBe('{"checks":{"nats":"ok"}}\n');
});

test('a service that does not respond is not healthy', async () => {
  const { code, stderr } = await checkHealth(9, '::');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^No response from port 9: /);
});
