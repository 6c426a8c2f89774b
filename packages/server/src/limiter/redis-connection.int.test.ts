import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@tributary/stack';
import { createClient } from 'redis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAuthority } from '../test/certificate.ts';
import { testConfig } from '../test/apps/test-config.ts';
import { createTestFolder, startPrivateEngine, type TestFolder } from '../test/engines/private-engine.ts';
import { connectSharedStore } from './shared-store.ts';

const draw = { key: 'test', rate: { perSecond: 100, burst: 200 } };

let resources: AsyncDisposableStack;
let folder: TestFolder;
beforeEach(() => {
  resources = new AsyncDisposableStack();
  folder = resources.use(createTestFolder());
});
afterEach(() => resources.disposeAsync());

/** Starts a server with these settings. */
async function startRedis(settings: Record<string, string>, port: number, flags: string[] = []) {
  const own = { port: String(port), bind: '127.0.0.1', save: '', dir: folder.path('.'), ...settings };
  const config = Object.entries(own).map(([name, value]) => `${name} ${value === '' ? '""' : value}\n`);
  const file = folder.write(`redis-${port}.conf`, config.join(''));
  return resources.use(await startPrivateEngine('redis-server', [file, ...flags], port));
}

/** Connects with these settings. `events` are what the service logs. */
function openStore(settings: Record<string, string>) {
  const { secrets } = testConfig(settings);
  const events: string[] = [];
  const store = connectSharedStore(secrets.redis!, {
    unavailable: ({ kind, reason }) => events.push(`${kind}: ${reason}`),
    available: () => events.push('available'),
  });
  resources.defer(() => store.close());
  const decides = () =>
    store.check([{ cost: 1, draws: [{ draw, seenTat: 0, debt: 0 }] }]).then(
      ([result]) => result!.allowed,
      (error: Error) => error.message,
    );
  const expectConnected = async () => {
    await expect.poll(decides, { timeout: 15_000 }).toBe(true);
  };
  return { store, events, decides, expectConnected };
}

/** Sends a command as administrator. */
async function administer(url: string, ...command: string[]): Promise<unknown> {
  const client = await createClient({ url })
    .on('error', () => {})
    .connect();
  try {
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
}

test('authenticates with a password, and reads a rotated one without a restart', async () => {
  const port = await freePort();
  await startRedis({ requirepass: 'first' }, port);
  const REDIS_PASSWORD_FILE = folder.write('password', 'first\n');
  const { store, events, expectConnected } = openStore({
    REDIS_URL: `redis://127.0.0.1:${port}`,
    REDIS_PASSWORD_FILE,
  });
  await expectConnected();
  await administer(`redis://:first@127.0.0.1:${port}`, 'CONFIG', 'SET', 'requirepass', 'second');
  folder.write('password', 'second\n');
  store.reset();
  await expectConnected();
  const url = `redis://:second@127.0.0.1:${port}`;
  await openStore({ REDIS_URL: url }).expectConnected();
  await openStore({ REDIS_URL_FILE: folder.write('url', url) }).expectConnected();
  expect(events.filter((event) => event !== 'available')).toHaveLength(events.length / 2);
});

test('reports a wrong password once, and connects when the file contains the right one', async () => {
  const port = await freePort();
  await startRedis({ requirepass: 'right' }, port);
  const { events, decides, expectConnected } = openStore({
    REDIS_URL: `redis://127.0.0.1:${port}`,
    REDIS_PASSWORD_FILE: folder.write('password', 'wr0ng-password'),
  });
  await expect.poll(() => events, { timeout: 10_000 }).toHaveLength(1);
  await sleep(500);
  expect(events).toEqual([expect.stringMatching(/^credentials rejected: .*WRONGPASS/)]);
  expect(await decides()).toMatch(/WRONGPASS/);
  folder.write('password', 'right');
  await expectConnected();
  expect(events).toEqual([events[0], 'available']);
  expect(events.join()).not.toContain('wr0ng-password');
});

test('needs few rights as a user of an access control list', async () => {
  const port = await freePort();
  await startRedis({ requirepass: 'admin' }, port);
  // The rights in docs/operating.md.
  const rights = '~tributary:limit:* +hello +ping +role +time +get +set +evalsha +script|load';
  await administer(
    `redis://:admin@127.0.0.1:${port}`,
    'ACL',
    'SETUSER',
    'tributary',
    'on',
    '>of-user',
    ...rights.split(' '),
  );
  await openStore({
    REDIS_URL: `redis://127.0.0.1:${port}`,
    REDIS_USER: 'tributary',
    REDIS_PASSWORD: 'of-user',
  }).expectConnected();
});

describe('TLS', () => {
  const authority = createAuthority();
  const serve = (port: number, issuer: typeof authority, more: Record<string, string> = {}) => {
    const server = issuer.issue(['localhost', '127.0.0.1']);
    return startRedis(
      {
        port: '0',
        'tls-port': String(port),
        'tls-cert-file': folder.write('server.crt', server.cert),
        'tls-key-file': folder.write('server.key', server.key),
        'tls-ca-cert-file': folder.write('clients.crt', issuer.cert),
        'tls-auth-clients': 'no',
        ...more,
      },
      port,
    );
  };

  test('trusts the authority in REDIS_CA_FILE and no other', async () => {
    const port = await freePort();
    await serve(port, authority);
    const REDIS_CA_FILE = folder.write('ca.crt', authority.cert);
    for (const host of ['localhost', '127.0.0.1'])
      await openStore({ REDIS_URL: `rediss://${host}:${port}`, REDIS_CA_FILE }).expectConnected();
    const { events } = openStore({
      REDIS_URL: `rediss://localhost:${port}`,
      REDIS_CA_FILE: folder.write('stranger.crt', createAuthority().cert),
    });
    await expect
      .poll(() => events, { timeout: 10_000 })
      .toEqual([expect.stringMatching(/^certificate rejected: /)]);
  });

  test('presents a client certificate, and reads renewed certificates without a restart', async () => {
    const port = await freePort();
    const first = await serve(port, authority, { 'tls-auth-clients': 'yes' });
    const REDIS_CA_FILE = folder.write('ca.crt', authority.cert);
    const REDIS_URL = `rediss://localhost:${port}`;
    const { events } = openStore({ REDIS_URL, REDIS_CA_FILE });
    await expect.poll(() => events, { timeout: 10_000 }).not.toEqual([]);
    const client = authority.issue(['tributary']);
    const { expectConnected, decides } = openStore({
      REDIS_URL,
      REDIS_CA_FILE,
      REDIS_CERT_FILE: folder.write('client.crt', client.cert),
      REDIS_KEY_FILE: folder.write('client.key', client.key),
    });
    await expectConnected();
    await first.kill();
    const next = createAuthority();
    await serve(port, next, { 'tls-auth-clients': 'yes' });
    const renewed = next.issue(['tributary']);
    await expect.poll(decides, { timeout: 10_000 }).not.toBe(true);
    folder.write('ca.crt', next.cert);
    folder.write('client.crt', renewed.cert);
    folder.write('client.key', renewed.key);
    await expectConnected();
  });
});

test('follows a failover that three Sentinels decide', { timeout: 90_000 }, async () => {
  const [one, two, ...sentinels] = await Promise.all(Array.from({ length: 5 }, () => freePort()));
  const password = { requirepass: 'of-data', masterauth: 'of-data' };
  const primary = await startRedis(password, one!);
  await startRedis({ ...password, replicaof: `127.0.0.1 ${one}` }, two!);
  for (const port of sentinels) {
    const monitor = `limits 127.0.0.1 ${one} 2
sentinel auth-pass limits of-data
sentinel down-after-milliseconds limits 1000
sentinel failover-timeout limits 5000`;
    await startRedis({ 'sentinel monitor': monitor, requirepass: 'of-sentinel' }, port, ['--sentinel']);
  }
  const hosts = sentinels.map((port) => `127.0.0.1:${port}`).join(',');
  const { events, decides, expectConnected } = openStore({
    REDIS_URL: `redis+sentinel://${hosts}/limits`,
    REDIS_PASSWORD: 'of-data',
    REDIS_SENTINEL_PASSWORD_FILE: folder.write('sentinel-password', 'of-sentinel'),
  });
  await expectConnected();
  const replicaRole = () =>
    administer(`redis://:of-data@127.0.0.1:${two}`, 'ROLE') as Promise<[string, string, number, string]>;
  await expect.poll(async () => (await replicaRole())[3], { timeout: 20_000 }).toBe('connected');
  // The Sentinels have to know each other and the replica.
  const knows = async (port: number, what: string) =>
    ((await administer(`redis://:of-sentinel@127.0.0.1:${port}`, 'SENTINEL', what, 'limits')) as unknown[])
      .length;
  for (const port of sentinels) {
    await expect.poll(() => knows(port, 'SENTINELS'), { timeout: 20_000 }).toBe(2);
    await expect.poll(() => knows(port, 'REPLICAS'), { timeout: 20_000 }).toBe(1);
  }

  await primary.kill();
  await expect.poll(decides, { timeout: 10_000 }).not.toBe(true);
  await expect.poll(decides, { timeout: 40_000 }).toBe(true);
  expect((await replicaRole())[0]).toBe('master');
  expect(events.at(-1)).toBe('available');
});
