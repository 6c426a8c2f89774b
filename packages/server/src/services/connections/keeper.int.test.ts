import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parseId } from '../../ids.ts';
import { findConnection } from '../../store/connections/connections.ts';
import { startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';
import { sealTokens, unsealTokens } from './seal-tokens.ts';
import { createRenewalRequests } from './renewal-requests.ts';

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
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
    DATABASE_URL: app.ctx.config.secrets.database.service.url.read(),
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

const lastOutcomeOf = async (deviceId: string) =>
  (await app.admin.query('SELECT failure FROM token_renewals WHERE device_id = $1', [deviceId])).rows[0];

interface RunningNode {
  node: ChildProcess;
  ended: Promise<unknown>;
}

function startNode(role: 'jobs' | 'keeper' | 'all'): RunningNode {
  const node = spawn(process.execPath, [main, role], {
    stdio: 'ignore',
    detached: true,
    env: environment(),
  });
  const ended = once(node, 'exit');
  nodes.push(node);
  return { node, ended };
}

async function startKeeper(): Promise<RunningNode> {
  const keeper = startNode('keeper');
  const listed = async () =>
    (await app.admin.query(`SELECT FROM pg_stat_activity WHERE application_name = 'tributary-kept'`))
      .rowCount;
  await expect.poll(listed, patience).toBeGreaterThan(0);
  return keeper;
}

async function kill({ node, ended }: RunningNode): Promise<void> {
  // The whole process group, as a forced stop of the service does.
  process.kill(-node.pid!, 'SIGKILL');
  await ended;
}

/** Requests a refresh, which stops at the gate once the lab has replaced the token. */
async function renewUpToGate(deviceId: string, signal?: AbortSignal): Promise<{ renewal: Promise<void> }> {
  gate.shut();
  const responsesBefore = gate.responseCount();
  const renewal = createRenewalRequests(app.ctx).renew({ deviceId, seenVersion: 1 }, signal);
  renewal.catch(() => {}); // the test awaits it later
  await expect.poll(() => gate.responseCount() - responsesBefore, patience).toBe(1);
  return { renewal };
}

test('loses no consent if the process that needs new tokens is killed before they are committed', async () => {
  const deviceId = await connectUser();
  await endToken(deviceId);
  const keeper = await startKeeper();
  gate.shut();
  const responsesBefore = gate.responseCount();
  const jobs = startNode('jobs');
  await expect.poll(() => gate.responseCount() - responsesBefore, patience).toBe(1);
  await kill(jobs);
  expect(await versionOf(deviceId)).toBe(1);
  gate.open();

  await expect.poll(() => versionOf(deviceId), patience).toBe(2);
  await kill(keeper);
  await using _sync = app.startSync();
  const lastSuccess = async () =>
    (await app.admin.query('SELECT last_success_at AS at FROM connections WHERE device_id = $1', [deviceId]))
      .rows[0].at;
  await expect.poll(lastSuccess, patience).not.toBeNull();
  expect(await connectionOf(deviceId)).toMatchObject({ status: 'active', tokenVersion: 2 });
  expect(reuses()).toBe(0);
});

test('stores new tokens although the database session was lost while the provider responded', async () => {
  const deviceId = await connectUser();
  const keeper = await startKeeper();
  const { renewal } = await renewUpToGate(deviceId);
  const { rowCount } = await app.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tributary-kept'`,
  );
  expect(rowCount).toBeGreaterThan(0);
  gate.open();
  await renewal;
  expect(await connectionOf(deviceId)).toMatchObject({ status: 'active', tokenVersion: 2 });
  await createRenewalRequests(app.ctx).renew({ deviceId, seenVersion: 2 }); // the stored tokens work
  expect(reuses()).toBe(0);
  await kill(keeper);
});

test('finishes a refresh before it stops, and starts no other', async () => {
  const deviceId = await connectUser();
  const keeper = await startKeeper();
  const { renewal } = await renewUpToGate(deviceId);
  keeper.node.kill('SIGTERM');
  await sleep(500);
  expect(keeper.node.exitCode).toBeNull();
  const other = await connectUser();
  const stop = new AbortController();
  const waiting = createRenewalRequests(app.ctx).renew({ deviceId: other, seenVersion: 1 }, stop.signal);
  await sleep(1_200);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'ProviderFailure', kind: 'unavailable' });
  gate.open();
  await renewal;
  expect(await keeper.ended).toEqual([0, null]);
  expect(await versionOf(deviceId)).toBe(2);
  expect(await versionOf(other)).toBe(1);
});

test('takes over a refresh whose keeper was killed, once no keeper can be doing it any more', async () => {
  const deviceId = await connectUser();
  await app.admin.query(
    'INSERT INTO token_renewals (device_id, seen_version, requested_at, started_at) VALUES ($1, 1, now(), now())',
    [deviceId],
  );
  const keeper = await startKeeper();
  await sleep(1_500);
  expect(await versionOf(deviceId)).toBe(1);
  await app.admin.query(
    `UPDATE token_renewals SET started_at = now() - interval '61 seconds' WHERE device_id = $1`,
    [deviceId],
  );
  await expect.poll(() => versionOf(deviceId), patience).toBe(2);
  await expect.poll(() => lastOutcomeOf(deviceId), patience).toBeUndefined();
  await kill(keeper);
});

test('one refresh serves all processes that need it at the same time', async () => {
  const deviceId = await connectUser();
  const keepers = [await startKeeper(), await startKeeper()];
  const before = app.lab.counts('whoop').refreshes;
  const requests = Array.from({ length: 40 }, () => createRenewalRequests(app.ctx));
  await Promise.all(requests.map((one) => one.renew({ deviceId, seenVersion: 1 })));
  expect(app.lab.counts('whoop').refreshes - before).toBe(1);
  expect(await versionOf(deviceId)).toBe(2);
  expect(reuses()).toBe(0);
  await Promise.all(keepers.map(kill));
});

test('refreshes in the process itself if no keeper runs', async () => {
  const deviceId = await connectUser();
  await createRenewalRequests(app.ctx).renew({ deviceId, seenVersion: 1 });
  expect(await versionOf(deviceId)).toBe(2);
});

test('the role all is its own keeper', async () => {
  const deviceId = await connectUser();
  const all = startNode('all');
  const startedAt = performance.now();
  await app.admin.query(
    'INSERT INTO token_renewals (device_id, seen_version, requested_at) VALUES ($1, 1, now())',
    [deviceId],
  );
  await expect.poll(() => versionOf(deviceId), patience).toBe(2);
  expect(performance.now() - startedAt).toBeLessThan(patience.timeout);
  await kill(all);
});

test('passes on provider rejections unchanged, and refreshes again when asked again', async () => {
  const deviceId = await connectUser();
  const keeper = await startKeeper();
  const renewals = createRenewalRequests(app.ctx);
  const [grant] = app.lab.grants('whoop').slice(-1);
  app.lab.revoke(grant!.id);
  for (let time = 0; time < 2; time += 1)
    await expect(renewals.renew({ deviceId, seenVersion: 1 })).rejects.toMatchObject({
      name: 'ProviderFailure',
      kind: 'consent_ended',
    });
  expect(await lastOutcomeOf(deviceId)).toMatchObject({ failure: { kind: 'consent_ended' } });
  const unknown = renewals.renew({ deviceId: crypto.randomUUID(), seenVersion: 1 });
  await expect(unknown).rejects.toMatchObject({ kind: 'consent_ended' });
  await app.admin.query('DELETE FROM connections WHERE device_id = $1', [deviceId]);
  expect(await lastOutcomeOf(deviceId)).toBeUndefined();
  await kill(keeper);
});

test('reports a failure with an unknown cause without its details', async () => {
  const deviceId = await connectUser();
  const keeper = await startKeeper();
  await app.admin.query(`UPDATE connections SET tokens = '\\x00' WHERE device_id = $1`, [deviceId]);
  await expect(createRenewalRequests(app.ctx).renew({ deviceId, seenVersion: 1 })).rejects.toThrow(
    'see the log of the keeper',
  );
  await kill(keeper);
});
