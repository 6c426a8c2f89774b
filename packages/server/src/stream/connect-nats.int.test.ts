import { nkeys } from '@nats-io/transport-node';
import { freePort } from '@tributary/stack';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAuthority } from '../test/certificate.ts';
import { testConfig } from '../test/apps/test-config.ts';
import { createNatsAccount } from '../test/engines/nats-jwt.ts';
import { createTestFolder, startPrivateEngine, type TestFolder } from '../test/engines/private-engine.ts';
import { createLog } from '../log.ts';
import { ensureAnchorStream, listAnchors, publishAnchor } from './audit-anchors.ts';
import { Broker } from './broker.ts';
import { followPointers } from './pointer-stream.ts';
import { partitionsOf, publishWork, workStream } from './work-stream.ts';

let resources: AsyncDisposableStack;
let folder: TestFolder;
let port: number;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  folder = resources.use(createTestFolder());
  port = await freePort();
});
afterEach(() => resources.disposeAsync());

/** Starts a server whose configuration can be changed. */
async function startNats(config: string) {
  const write = (text: string) => folder.write('nats.conf', `listen: "127.0.0.1:${port}"\n${text}`);
  const engine = resources.use(await startPrivateEngine('nats-server', ['-c', write(config)], port));
  return {
    reload(text: string) {
      write(text);
      engine.signal('SIGHUP');
    },
    stop: () => engine.kill(),
  };
}

/** Connects with these settings. `events` are what the service logs. */
function openBroker(settings: Record<string, string>) {
  const { secrets } = testConfig({ NATS_URL: `nats://127.0.0.1:${port}`, ...settings });
  const events: string[] = [];
  const broker = resources.use(
    new Broker(secrets.nats, 'test', {
      unavailable: ({ kind, reason }) => events.push(`${kind}: ${reason}`),
      available: () => events.push('available'),
    }),
  );
  return { broker, events };
}

async function expectConnected(broker: Broker): Promise<void> {
  await expect.poll(() => broker.connected, { timeout: 10_000 }).toBe(true);
  const received = Promise.withResolvers<string>();
  broker.connection!.subscribe('echo', { max: 1, callback: (_, { data }) => received.resolve(String(data)) });
  broker.publish('echo', 'works');
  await received.promise;
}

async function expectLost(broker: Broker): Promise<void> {
  await expect.poll(() => broker.connected, { timeout: 10_000 }).toBe(false);
}

const users = (password: string) => `authorization: { user: tributary, password: "${password}" }`;

describe('authentication', () => {
  test('with a user and a password, from variables and from the URL', async () => {
    await startNats(users('pass p@ss:w'));
    await expectConnected(
      openBroker({ NATS_USER: 'tributary', NATS_PASSWORD_FILE: folder.write('password', 'pass p@ss:w\n') })
        .broker,
    );
    const url = `nats://tributary:pass%20p%40ss%3Aw@127.0.0.1:${port}`;
    await expectConnected(openBroker({ NATS_URL: url }).broker);
    await expectConnected(
      openBroker({ NATS_URL: '', NATS_URL_FILE: folder.write('url', `${url}\n`) }).broker,
    );
  });

  test('with a token', async () => {
    await startNats('authorization: { token: "t0ken" }');
    await expectConnected(openBroker({ NATS_TOKEN_FILE: folder.write('token', 't0ken\n') }).broker);
  });

  test('with an nkey', async () => {
    const user = nkeys.createUser();
    const seed = new TextDecoder().decode(user.getSeed());
    await startNats(`authorization: { users: [{ nkey: ${user.getPublicKey()} }] }`);
    await expectConnected(openBroker({ NATS_NKEY_SEED_FILE: folder.write('seed', `${seed}\n`) }).broker);
  });

  test('with a credentials file, which is read again when its credentials expire', async () => {
    const account = createNatsAccount();
    await startNats(account.config);
    const file = folder.write('user.creds', account.createCredentials(Date.now() + 3_000));
    const { broker, events } = openBroker({ NATS_CREDENTIALS_FILE: file });
    await expectConnected(broker);
    const { connection } = broker;
    folder.write('user.creds', account.createCredentials());
    await expectLost(broker);
    await expectConnected(broker);
    expect(broker.connection).toBe(connection);
    expect(events).toEqual([]);
  });
});

test('needs few permissions for streams', async () => {
  // The permissions in docs/operating.md.
  await startNats(`jetstream: { store_dir: "${folder.path('jetstream')}" }
authorization: { users: [{ user: tributary, password: p, permissions: {
  publish: ["tributary.>", "$JS.API.>"], subscribe: ["tributary.>", "_INBOX.>"] } }] }`);
  const { broker } = openBroker({ NATS_USER: 'tributary', NATS_PASSWORD: 'p' });
  await expect.poll(() => broker.connected, { timeout: 10_000 }).toBe(true);
  const connection = broker.connection!;
  await ensureAnchorStream(connection, 1);
  const anchor = { accountId: 'a', position: 1, hash: 'h', signature: 's' };
  await publishAnchor(connection, 'log', anchor);
  expect(await listAnchors(connection, 'log')).toEqual([anchor]);

  const config = testConfig({});
  const context = { broker, config, log: createLog(config, 'test') };
  const [stop, received] = [new AbortController(), Promise.withResolvers<string>()];
  const following = followPointers(context, workStream, stop.signal, received.resolve, (isSubscribed) => {
    if (isSubscribed) void publishWork(connection, new Set([3]));
  });
  expect(partitionsOf(await received.promise)).toEqual([3]);
  stop.abort();
  await following;
});

test('reports a wrong password once, and connects when the file contains the right one', async () => {
  await startNats(users('right'));
  const file = folder.write('password', 'wr0ng-password');
  const { broker, events } = openBroker({ NATS_USER: 'tributary', NATS_PASSWORD_FILE: file });
  await expect.poll(() => broker.failure?.kind, { timeout: 10_000 }).toBe('credentials rejected');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(events).toHaveLength(1);
  expect(events[0]).toMatch(/^credentials rejected: .*Authorization Violation/);
  folder.write('password', 'right');
  await expectConnected(broker);
  expect(events).toEqual([events[0], 'available']);
  expect(broker.failure).toBeNull();
  expect(events.join()).not.toContain('wr0ng-password');
});

test('survives a rotation of the password without a restart', async () => {
  const nats = await startNats(users('first'));
  const file = folder.write('password', 'first');
  const { broker, events } = openBroker({ NATS_USER: 'tributary', NATS_PASSWORD_FILE: file });
  await expectConnected(broker);
  // The server disconnects clients with the previous password. The client is rejected until the file has the new one.
  nats.reload(users('second'));
  await expectLost(broker);
  await expect.poll(() => broker.failure?.kind, { timeout: 15_000 }).toBe('credentials rejected');
  folder.write('password', 'second');
  await expectConnected(broker);
  expect(events).toEqual([expect.stringMatching(/^credentials rejected: /), 'available']);
});

describe('TLS', () => {
  const authority = createAuthority();
  const files = (issuer: typeof authority) => {
    const server = issuer.issue(['localhost', '127.0.0.1']);
    return [folder.write('server.crt', server.cert), folder.write('server.key', server.key)];
  };
  const tls = ([cert, key]: string[], more = '') =>
    `tls: { cert_file: "${cert}", key_file: "${key}", ${more} }`;

  test('trusts the authority in NATS_CA_FILE, for host names and addresses', async () => {
    await startNats(tls(files(authority)));
    const NATS_CA_FILE = folder.write('ca.crt', authority.cert);
    for (const host of ['localhost', '127.0.0.1'])
      await expectConnected(openBroker({ NATS_URL: `tls://${host}:${port}`, NATS_CA_FILE }).broker);
  });

  test('rejects a certificate of another authority or for another name, and sends no password', async () => {
    const other = authority.issue(['other.example.com']);
    await startNats(tls([folder.write('server.crt', other.cert), folder.write('server.key', other.key)]));
    const NATS_CA_FILE = folder.write('ca.crt', authority.cert);
    const stranger = folder.write('stranger.crt', createAuthority().cert);
    for (const [host, ca] of [
      ['localhost', NATS_CA_FILE],
      ['127.0.0.1', NATS_CA_FILE],
      ['localhost', stranger],
    ] as const) {
      const { broker } = openBroker({ NATS_URL: `tls://${host}:${port}`, NATS_CA_FILE: ca });
      await expect.poll(() => broker.failure?.kind, { timeout: 10_000 }).toBe('certificate rejected');
    }
  });

  test('never continues without TLS when it is required', async () => {
    await startNats('');
    const { broker, events } = openBroker({ NATS_URL: `tls://127.0.0.1:${port}` });
    await expect
      .poll(() => events, { timeout: 10_000 })
      .toEqual(["certificate rejected: server does not support 'tls'"]);
    expect(broker.connected).toBe(false);
  });

  test('presents a client certificate, and reads renewed certificates without a restart', async () => {
    const nats = await startNats(
      tls(files(authority), `ca_file: "${folder.write('clients.crt', authority.cert)}", verify: true`),
    );
    const NATS_CA_FILE = folder.write('ca.crt', authority.cert);
    const without = openBroker({ NATS_CA_FILE });
    await expect.poll(() => without.broker.failure, { timeout: 10_000 }).not.toBeNull();
    const client = authority.issue(['tributary']);
    const { broker } = openBroker({
      NATS_CA_FILE,
      NATS_CERT_FILE: folder.write('client.crt', client.cert),
      NATS_KEY_FILE: folder.write('client.key', client.key),
    });
    await expectConnected(broker);

    const next = createAuthority();
    files(next);
    folder.write('clients.crt', next.cert);
    await nats.stop();
    await expectLost(broker);
    const renewed = next.issue(['tributary']);
    folder.write('ca.crt', next.cert);
    folder.write('client.crt', renewed.cert);
    // The key arrives later. Until then the previous pair remains in use.
    resources.use(await startPrivateEngine('nats-server', ['-c', folder.path('nats.conf')], port));
    await expect.poll(() => broker.failure, { timeout: 15_000 }).not.toBeNull();
    folder.write('client.key', renewed.key);
    await expectConnected(broker);
  });
});
