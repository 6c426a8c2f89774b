import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createService,
  engineEnvironment,
  findBinaries,
  openTemporaryFolder,
  probe,
  rotateLogs,
  type Service,
  startGuard,
} from '@tributary/stack/parts';
import { freePort } from '@tributary/stack';

const size = 3;

/** Three NATS servers that replicate every stream. */
export interface NatsCluster extends AsyncDisposable {
  /** All addresses, separated by commas. */
  url: string;
  servers: readonly Service[];
  /** Returns the server that leads a stream. Waits up to `mostMs` for one to be elected. */
  leaderOf(stream: string, mostMs: number): Promise<Service>;
}

interface Ports {
  client: number;
  monitor: number;
  route: number;
}

/** Starts the servers and waits until they have elected a leader. */
export async function startNatsCluster(): Promise<NatsCluster> {
  await using cleanup = new AsyncDisposableStack();
  const guard = cleanup.use(startGuard());
  const dir = await openTemporaryFolder(guard);
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  rotateLogs(dir);
  const binary = findBinaries().nats;
  if (binary === null) throw new Error('nats-server is not installed');
  const never = new AbortController().signal;
  const supervision = { dir, guard, signal: never, hurry: never, onUnexpectedExit: () => {} };

  const ports: Ports[] = [];
  for (let at = 0; at < size; at += 1)
    ports.push({ client: await freePort(), monitor: await freePort(), route: await freePort() });
  const servers: Service[] = [];
  for (const [at, { client }] of ports.entries()) {
    const name = `nats-${at + 1}`;
    const config = join(dir, `${name}.conf`);
    await mkdir(join(dir, name));
    await writeFile(config, configOf(name, join(dir, name), ports[at]!, ports));
    servers.push(
      createService(supervision, {
        launch: { name, command: binary, args: ['-c', config], env: engineEnvironment() },
        isReady: () => probe(client, '', 'INFO '),
        readyTimeoutMs: 30_000,
        graceMs: 3_000,
      }),
    );
  }
  cleanup.defer(async () => void (await Promise.all(servers.map((server) => server.stop()))));
  await Promise.all(servers.map((server) => server.start()));
  const monitors = ports.map(({ monitor }) => monitor);
  await waitFor(async () => (await queryMonitors<Meta>(monitors, ''))?.meta_cluster?.leader, 30_000);

  const owned = cleanup.move();
  return {
    url: ports.map(({ client }) => `nats://127.0.0.1:${client}`).join(','),
    servers,
    // Ask each server whether it is the leader itself: the others may still name one that is down.
    leaderOf: (stream, mostMs) =>
      waitFor(async () => {
        for (const [at, server] of servers.entries()) {
          const accounts = await queryMonitors<Accounts>([monitors[at]!], '?accounts=true&streams=true');
          const streams = (accounts?.account_details ?? []).flatMap(
            ({ stream_detail }) => stream_detail ?? [],
          );
          if (streams.find(({ name }) => name === stream)?.cluster?.leader === server.name) return server;
        }
      }, mostMs),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function configOf(name: string, store: string, own: Ports, all: readonly Ports[]): string {
  return `
server_name: ${name}
listen: 127.0.0.1:${own.client}
http: 127.0.0.1:${own.monitor}
jetstream { store_dir: ${JSON.stringify(store)} }
cluster {
  name: tributary
  listen: 127.0.0.1:${own.route}
  routes: [${all.map(({ route }) => `nats://127.0.0.1:${route}`).join(', ')}]
}
`;
}

interface Meta {
  meta_cluster?: { leader?: string };
}

interface Accounts {
  account_details?: { stream_detail?: { name: string; cluster?: { leader?: string } }[] }[];
}

/** Queries the JetStream monitor of the first server that responds. */
async function queryMonitors<Body>(monitors: readonly number[], query: string): Promise<Body | null> {
  for (const port of monitors) {
    const response = await fetch(`http://127.0.0.1:${port}/jsz${query}`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null);
    if (response?.ok) return (await response.json()) as Body;
  }
  return null;
}

async function waitFor<T>(poll: () => Promise<T | undefined>, mostMs: number): Promise<T> {
  const until = performance.now() + mostMs;
  for (;;) {
    const result = await poll();
    if (result) return result;
    if (performance.now() > until) throw new Error(`NATS elected no leader within ${mostMs / 1000} s`);
    await sleep(100);
  }
}
