import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProvider } from '@tributary/providers';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parseId } from '../../ids.ts';
import { findConnection } from '../../store/connections/connections.ts';
import { inTransaction } from '../../store/database/database.ts';
import { startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';
import { findApp } from '../providers/find-app.ts';
import { sealTokens, unsealTokens } from './seal-tokens.ts';
import { openTokenService } from './token-service.ts';
import { openTokenSource } from './token-source.ts';

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
const run = promisify(execFile);
const patience = { timeout: 40_000, interval: 25 };

let app: ConnectApp;
let gate: Gate;
const nodes: ChildProcess[] = [];
beforeAll(async () => {
  app = await startConnectApp();
  gate = await startGate(app.lab.url);
});
afterAll(async () => {
  for (const node of nodes) if (node.exitCode === null) node.kill('SIGKILL');
  await gate[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

/** A proxy in front of the lab. It holds back responses to refreshes, after the lab has replaced the token, until the test releases them. */
interface Gate extends AsyncDisposable {
  url: string;
  /** The number of refreshes that the lab has responded to. */
  responseCount: () => number;
  shut: () => void;
  open: () => void;
}

async function startGate(labUrl: string): Promise<Gate> {
  let responseCount = 0;
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bytesOf(incoming);
    const { method = 'GET', headers } = incoming;
    const headerNames = ['authorization', 'content-type', 'accept'].filter((name) => headers[name]);
    const response = await fetch(labUrl + incoming.url, {
      method,
      headers: headerNames.map((name): [string, string] => [name, String(headers[name])]),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const type = response.headers.get('content-type') ?? 'text/plain';
    const bytes = Buffer.from(await response.arrayBuffer());
    if (body.includes('grant_type=refresh_token')) {
      responseCount += 1;
      await opened.promise;
    }
    outgoing.writeHead(response.status, { 'content-type': type }).end(bytes);
  };
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    responseCount: () => responseCount,
    shut: () => (opened = Promise.withResolvers()),
    open: () => opened.resolve(),
    async [Symbol.asyncDispose]() {
      opened.resolve();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** The environment of a service process that reaches the lab through the proxy. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    TRIBUTARY_ENV: 'test',
    NODE_NAME: 'kept',
    DATABASE_URL: app.ctx.config.secrets.databaseUrl,
    NATS_URL: inject('engines').natsUrl,
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    LAB_URL: gate.url,
    OUTBOUND_ALLOW: '127.0.0.1',
    TEST_CLOCK: 'true',
    ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  };
}

async function connectUser(): Promise<string> {
  const userId = await app.createUser();
  const { body } = await app.connect(userId, 'whoop');
  await app.authorize(body.data.auth_url);
  return parseId('dev', body.data.id)!;
}

/** Expires the stored token. */
async function endToken(deviceId: string): Promise<void> {
  const { tokens } = await connectionOf(deviceId);
  const ended = { ...unsealTokens(app.ctx.keyring, deviceId, tokens!), expiresAtMs: 0 };
  await app.admin.query('UPDATE connections SET tokens = $2 WHERE device_id = $1', [
    deviceId,
    sealTokens(app.ctx.keyring, deviceId, ended),
  ]);
}

const connectionOf = async (deviceId: string) => (await findConnection(app.ctx.operator, deviceId))!;
const versionOf = async (deviceId: string) => (await connectionOf(deviceId)).tokenVersion;
const reuses = () => app.lab.counts('whoop').reuses;

async function sourceOf(deviceId: string, service: ReturnType<typeof openTokenService>) {
  const provider = findProvider('whoop')!;
  const own = (await findApp(app.ctx, app.ctx.db, 'sandbox', provider))!;
  const connection = await connectionOf(deviceId);
  return openTokenSource(
    { ...app.ctx, tokenService: service },
    { environment: 'sandbox', provider, app: own },
    { ...connection, tokens: connection.tokens! },
  );
}

/** Token services that wait for another refresh. */
const countWaiting = async () =>
  (
    await app.admin.query(
      `SELECT FROM pg_stat_activity WHERE application_name = 'tributary-tokens-kept' AND wait_event_type = 'Lock'`,
    )
  ).rowCount;

/** The token services that a process has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, child, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === pid && args!.includes('token-process') ? [Number(child)] : [];
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function startNode(): { node: ChildProcess; ended: Promise<unknown> } {
  const node = spawn(process.execPath, [main, 'jobs'], {
    stdio: 'ignore',
    detached: true,
    env: environment(),
  });
  const ended = once(node, 'exit');
  nodes.push(node);
  return { node, ended };
}

test('loses no consent and leaves no process behind if a node is killed between the new token and its commit', async () => {
  const deviceId = await connectUser();
  const before = await versionOf(deviceId);
  await endToken(deviceId);
  gate.shut();
  const responsesBefore = gate.responseCount();
  const { node, ended } = startNode();
  await expect.poll(() => gate.responseCount() - responsesBefore, patience).toBe(1);
  const [tokenServicePid] = await childrenOf(node.pid!);
  // Kill the whole process group, as a forced stop of the service does.
  process.kill(-node.pid!, 'SIGKILL');
  await ended;
  expect(await versionOf(deviceId)).toBe(before);
  gate.open();

  await expect.poll(() => versionOf(deviceId), patience).toBe(before + 1);
  expect(tokenServicePid).toBeDefined();
  await expect.poll(() => isAlive(tokenServicePid!), { timeout: 5_000, interval: 25 }).toBe(false);
  await using _sync = app.startSync();
  const lastSuccess = async () =>
    (await app.admin.query('SELECT last_success_at AS at FROM connections WHERE device_id = $1', [deviceId]))
      .rows[0].at;
  await expect.poll(lastSuccess, patience).not.toBeNull();
  expect(await connectionOf(deviceId)).toMatchObject({ status: 'active', tokenVersion: before + 1 });
  expect(reuses()).toBe(0);
});

test('ends an idle token service within seconds of its node', async () => {
  const deviceId = await connectUser();
  const before = await versionOf(deviceId);
  await endToken(deviceId);
  const { node, ended } = startNode();
  await expect.poll(() => versionOf(deviceId), patience).toBe(before + 1);
  const [tokenServicePid] = await childrenOf(node.pid!);
  expect(isAlive(tokenServicePid!)).toBe(true);
  // A stop signals all processes of a service. The token service keeps running until its node is gone.
  process.kill(tokenServicePid!, 'SIGTERM');
  await sleep(200);
  expect(isAlive(tokenServicePid!)).toBe(true);
  node.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => isAlive(tokenServicePid!), { timeout: 5_000, interval: 25 }).toBe(false);
});

test('fails the current refresh with a retryable error if the token service is killed, and starts a new one', async () => {
  const deviceId = await connectUser();
  await using tokenService = openTokenService({ log: pino({ level: 'silent' }), env: environment() });
  const source = await sourceOf(deviceId, tokenService);
  const first = source.current();
  expect(await source.renew()).not.toEqual(first);
  const [pid] = await childrenOf(process.pid);

  // Killed before the request to the provider. The next process does the refresh.
  await inTransaction(app.ctx.operator, async (tx) => {
    await tx.query({
      text: `SELECT pg_advisory_xact_lock(hashtextextended('refresh:' || $1, 0))`,
      values: [deviceId],
    });
    const renewal = source.renew();
    await expect.poll(countWaiting, patience).toBe(1);
    process.kill(pid!, 'SIGKILL');
    await expect(renewal).rejects.toMatchObject({ name: 'ProviderFailure', kind: 'unavailable' });
  });

  const renewed = await source.renew();
  const stored = await connectionOf(deviceId);
  expect(unsealTokens(app.ctx.keyring, deviceId, stored.tokens!)).toEqual(renewed);
  expect(stored.tokenVersion).toBe(3);
  expect(await childrenOf(process.pid)).not.toContain(pid);
  expect(reuses()).toBe(0);
});

test('stops without waiting for the provider while the token service finishes the refresh', async () => {
  const deviceId = await connectUser();
  const tokenService = openTokenService({ log: pino({ level: 'silent' }), env: environment() });
  const stop = new AbortController();
  gate.shut();
  const responsesBefore = gate.responseCount();
  const renewal = tokenService.renew({ deviceId, seenVersion: 1 }, stop.signal);
  await expect.poll(() => gate.responseCount() - responsesBefore, patience).toBe(1);
  const [pid] = await childrenOf(process.pid);
  stop.abort();
  await expect(renewal).rejects.toMatchObject({ kind: 'unavailable' });
  const stoppedAt = performance.now();
  await tokenService[Symbol.asyncDispose]();
  expect(performance.now() - stoppedAt).toBeLessThan(5_000);
  expect(await versionOf(deviceId)).toBe(1);
  await expect(tokenService.renew({ deviceId, seenVersion: 1 })).rejects.toMatchObject({
    kind: 'unavailable',
  });
  gate.open();
  await expect.poll(() => versionOf(deviceId), patience).toBe(2);
  await expect.poll(() => isAlive(pid!), { timeout: 5_000, interval: 25 }).toBe(false);
});

test('passes on provider rejections unchanged', async () => {
  const deviceId = await connectUser();
  await using tokenService = openTokenService({ log: pino({ level: 'silent' }), env: environment() });
  const [grant] = app.lab.grants('whoop').slice(-1);
  app.lab.revoke(grant!.id);
  const refused = tokenService.renew({ deviceId, seenVersion: 1 });
  await expect(refused).rejects.toMatchObject({ name: 'ProviderFailure', kind: 'consent_ended' });
  const unknown = tokenService.renew({ deviceId: crypto.randomUUID(), seenVersion: 1 });
  await expect(unknown).rejects.toMatchObject({ kind: 'consent_ended' });
  const broken = tokenService.renew({ deviceId: 'no id', seenVersion: 1 });
  await expect(broken).rejects.toThrow('see the log of the token service');
});
