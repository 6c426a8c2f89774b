import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../services/api-keys/create-api-key.ts';
import type { Event } from '../../store/events/events.ts';
import { startCuttable } from '../../test/cuttable.ts';
import { cliOf } from '../../test/commands/run-cli.ts';
import { startSequencing, emitEvents } from '../../test/data/emit-events.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';
import { testActor } from '../../test/acting.ts';

const program = fileURLToPath(new URL('../../main.ts', import.meta.url));
const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
let app: TestApp;
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  app = resources.use(await startTestApp());
  resources.use(startSequencing(app));
});
afterAll(() => resources.disposeAsync());

const emit = (account: TestAccount, count: number, type: Event['type'] = 'data.updated') =>
  emitEvents(app, account, count, { type });

interface Received {
  id: string;
  body: unknown;
  type: string | undefined;
}

/** An endpoint that verifies requests with the standard library. */
async function startReceiver(statusFor: (count: number) => number = () => 204) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () => {
      const headers = request.headers as Record<string, string>;
      const body = new Webhook(secret).verify(Buffer.concat(parts), headers);
      received.push({ id: headers['webhook-id']!, body, type: headers['content-type'] });
      response.writeHead(statusFor(received.length), { location: '/elsewhere' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    ids: () => received.map(({ id }) => id),
    [Symbol.dispose]: () => server.close().closeAllConnections(),
  };
}

/** Runs the command as a developer does: without a database, with a key in the environment. */
function startListening(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [program, 'webhooks', 'listen', ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    printed: () => printed,
    async prints(text: string | RegExp) {
      await expect.poll(() => printed, { timeout: 15_000, interval: 20 }).toMatch(text);
    },
    code,
    async interrupt() {
      child.kill('SIGINT');
      return code;
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

describe('webhooks listen', () => {
  test('forwards events, signed like webhooks, until it is interrupted', async () => {
    const account = await app.createAccount();
    using receiver = await startReceiver();
    const args = ['--forward', receiver.url, '--url', app.url, '--secret', secret];
    using listening = startListening(args, { TRIBUTARY_API_KEY: account.liveKey });
    await listening.prints('Listening');
    const eventIds = await emit(account, 3);
    await expect.poll(receiver.ids, { timeout: 10_000 }).toEqual(eventIds);
    const { body } = await app.request('GET', '/v1/events', { key: account.liveKey });
    expect(receiver.received.map((one) => one.body)).toEqual(body.events);
    expect(receiver.received[0]!.type).toBe('application/json');
    await listening.prints(
      new RegExp(`\\d\\d:\\d\\d:\\d\\d  data\\.updated +${eventIds[2]}  → 204  \\d+ ms\n`),
    );
    expect(await listening.interrupt()).toBe(0);
    expect(listening.printed()).toContain(`secret  ${secret}`);
    expect(listening.printed()).toContain(
      `3 events delivered.\nTo resume from here: --from-cursor ${body.cursor}`,
    );
    expect(listening.printed()).not.toContain(account.liveKey);
  }, 30_000);

  test('reconnects on its own and neither misses nor repeats an event', async () => {
    const account = await app.createAccount();
    using receiver = await startReceiver();
    using cuttable = await startCuttable(app.url);
    const args = ['--forward', receiver.url, '--url', cuttable.url, '--secret', secret];
    using listening = startListening(args, { TRIBUTARY_API_KEY: account.liveKey });
    await listening.prints('Listening');
    const eventIds = await emit(account, 2);
    await expect.poll(receiver.ids, { timeout: 10_000 }).toEqual(eventIds);
    cuttable.disconnect();
    eventIds.push(...(await emit(account, 2)));
    await listening.prints(/Disconnected: connection lost\. Retrying in 1\.\d s\./);
    await expect.poll(receiver.ids, { timeout: 10_000 }).toEqual(eventIds);
    expect(listening.printed()).toContain('Reconnected. Resuming after the last event.');
    await listening.interrupt();
  }, 30_000);

  test('forwards selected events from a cursor, and reports rejected ones without a retry', async () => {
    const account = await app.createAccount();
    const { cursor } = (await app.request('GET', '/v1/events', { key: account.liveKey })).body;
    await emit(account, 2);
    const scored = await emit(account, 3, 'score.updated');
    const statuses = [500, 302, 200];
    using receiver = await startReceiver((count) => statuses[count - 1]!);
    const folder = await mkdtemp(join(tmpdir(), 'tributary-key-'));
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, `${account.liveKey}\n`);
    const args = ['--forward', receiver.url, '--url', app.url, '--secret', secret];
    using listening = startListening(
      [...args, '--events', 'score.updated,user.deleted', '--from-cursor', cursor, '--key-file', keyFile],
      {},
    );
    await expect.poll(receiver.ids, { timeout: 15_000 }).toEqual(scored);
    await listening.prints(`${scored[0]}  → 500`);
    await listening.prints(`${scored[1]}  → 302`);
    await listening.prints(`${scored[2]}  → 200`);
    await listening.interrupt();
    expect(listening.printed()).toContain('1 event delivered, 2 failed.');
    await rm(folder, { recursive: true });
  }, 30_000);

  test('prints a new secret each time, and reports an unreachable endpoint', async () => {
    const account = await app.createAccount();
    const away = await startReceiver();
    away[Symbol.dispose]();
    using listening = startListening(['--forward', away.url, '--url', app.url], {
      TRIBUTARY_API_KEY: account.liveKey,
    });
    await listening.prints(/secret {2}whsec_[A-Za-z0-9+/]{43}=\n/);
    await listening.prints('Listening');
    const [id] = await emit(account, 1);
    await listening.prints(`${id}  → connection refused`);
    await createApiKey(app.ctx, testActor, { accountId: account.uuid, environment: 'live' });
    expect(await listening.code).toBe(1);
    expect(listening.printed()).toMatch(/The API rejected the stream: .*revoked/);
  }, 30_000);

  test('reports errors in one line', async () => {
    const cases: [args: string[], env: Record<string, string>, sentence: string][] = [
      [[], {}, 'No API key. Set TRIBUTARY_API_KEY'],
      [[], { TRIBUTARY_API_KEY: 'secret' }, 'Invalid API key'],
      [['--key-file', '/none'], {}, 'Could not read the API key'],
      [['--secret', 'whsec_short'], {}, 'whsec_ followed by the base64 of 24 to 64 bytes'],
      [['--events', 'data.deleted'], {}, 'must be a comma-separated list of data.updated'],
      [['--url', 'localhost:8080'], {}, 'must be a URL'],
    ];
    const command = ['webhooks', 'listen', '--forward', 'http://127.0.0.1:1/'];
    const ends = cases.map(([args, env]) => cliOf(app).tributary([...command, ...args], env));
    for (const [at, { code, stderr }] of (await Promise.all(ends)).entries()) {
      expect(code).toBe(1);
      expect(stderr).toContain(cases[at]![2]);
      expect(stderr).not.toContain('    at ');
    }
  }, 30_000);
});
