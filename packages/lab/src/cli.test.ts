import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';
import { renderGreeting } from './greeting.ts';

const cli = join(import.meta.dirname, 'cli.ts');

test('parses the command line and reports invalid arguments', () => {
  expect(parseArguments([])).toEqual({ ok: true, value: { port: 8090, json: false, help: false } });
  expect(parseArguments(['--port', '0', '--json'])).toMatchObject({
    ok: true,
    value: { port: 0, json: true },
  });
  for (const port of ['x', '-1', '65536', '1.5', ''])
    expect(parseArguments([`--port=${port}`]).ok, port).toBe(false);
  expect(parseArguments(['--color']).ok).toBe(false);
});

test('prints all URLs and credentials in the greeting', () => {
  const app = {
    clientId: 'id',
    clientSecret: 'key',
    name: 'n',
    redirectUris: ['http://back/'],
    pushUrls: {},
  };
  const providers = [{ id: 'tiny', name: 'Tiny', register: () => {} }];
  const text = renderGreeting({ url: 'http://lab', providers, apps: [app] }, false);
  for (const part of [
    'Tiny  http://lab/tiny',
    'client id      id',
    'client secret  key',
    'curl -s http://lab/lab/status',
  ])
    expect(text).toContain(part);
});

test('starts, prints its URL, serves requests and exits on a signal', { timeout: 20_000 }, async () => {
  const child = spawn(process.execPath, [cli, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  using _ = { [Symbol.dispose]: () => child.kill('SIGKILL') };
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const info = JSON.parse(line) as {
    url: string;
    providers: { url: string }[];
    apps: { client_secret: string }[];
  };
  expect((await fetch(`${info.url}/lab/status`)).status).toBe(200);
  expect(info.providers.length).toBeGreaterThan(0);
  expect(info.apps[0]!.client_secret).toBe('lab-app-secret');

  const port = new URL(info.url).port;
  const second = promisify(execFile)(process.execPath, [cli, '--port', port]);
  await expect(second).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Port ${port} is in use`),
  });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
