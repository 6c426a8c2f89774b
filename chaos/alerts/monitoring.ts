import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '@tributary/rig';
import { freePort, type StackNode } from '@tributary/stack';

/** Prometheus and Alertmanager with the shipped configuration. */
export interface Monitoring extends AsyncDisposable {
  /** Waits until all processes are scraped and no alert fires. */
  untilScraped: (processes: number) => Promise<void>;
  /** The alerts that Alertmanager has sent since the last reset, with their role if they have one. */
  sent: () => Set<string>;
  reset: () => void;
  /** Whether no alert is firing in Prometheus. */
  isQuiet: () => Promise<boolean>;
}

const source = join(root, 'deploy/monitoring');

export async function startMonitoring(nodes: readonly StackNode[]): Promise<Monitoring> {
  await using resources = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'tributary-alerts-'));
  resources.defer(() => rm(dir, { recursive: true, force: true }));
  const received = resources.use(await startReceiver());
  const [prometheusPort, alertmanagerPort] = [await freePort(), await freePort()];
  await copyFile(join(source, 'alerts.yml'), join(dir, 'alerts.yml'));
  await writeFile(join(dir, 'prometheus.yml'), await configurePrometheus(nodes, alertmanagerPort));
  await writeFile(join(dir, 'alertmanager.yml'), await configureAlertmanager(received.url));
  const start = (names: readonly string[], ...args: string[]) => {
    const child = resources.use(startProgram(names, args, dir));
    return child;
  };
  start(
    ['prometheus-alertmanager', 'alertmanager'],
    '--config.file=alertmanager.yml',
    '--storage.path=alertmanager',
    `--web.listen-address=127.0.0.1:${alertmanagerPort}`,
    '--cluster.listen-address=',
  );
  start(
    ['prometheus'],
    '--config.file=prometheus.yml',
    '--storage.tsdb.path=prometheus',
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
  );
  const url = `http://127.0.0.1:${prometheusPort}/api/v1`;
  const read = async <T>(path: string): Promise<T | null> => {
    const response = await fetch(url + path).catch(() => null);
    return response?.ok ? ((await response.json()) as { data: T }).data : null;
  };
  const isQuiet = async () =>
    (await read<{ alerts: { state: string }[] }>('/alerts'))?.alerts.every(
      ({ state }) => state !== 'firing',
    ) ?? false;
  const owned = resources.move();
  return {
    isQuiet,
    async untilScraped(processes) {
      const query = encodeURIComponent('count(up{job="tributary"} == 1)');
      for (let tries = 0; tries < 240; tries += 1) {
        const up = await read<{ result: { value: [number, string] }[] }>(`/query?query=${query}`);
        if (Number(up?.result[0]?.value[1]) === processes && (await isQuiet())) return;
        await sleep(500);
      }
      throw new Error('Prometheus did not scrape every process within two minutes.');
    },
    sent: () => new Set(received.alerts),
    reset: () => received.alerts.clear(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The shipped file with the addresses of this run. */
async function configurePrometheus(nodes: readonly StackNode[], alertmanagerPort: number): Promise<string> {
  const text = await readFile(join(source, 'prometheus.yml'), 'utf8');
  const targets = nodes.map(
    ({ role, metricsUrl }) =>
      `      - targets: ['${new URL(metricsUrl).host}']\n        labels: { role: ${role} }\n`,
  );
  const start = text.indexOf("      - targets: ['api:9464']");
  if (start < 0) throw new Error('prometheus.yml has no target api:9464.');
  return `${text.slice(0, start)}${targets.join('')}`.replace(
    'alertmanager:9093',
    `127.0.0.1:${alertmanagerPort}`,
  );
}

/** The shipped file with a webhook as every receiver. */
async function configureAlertmanager(url: string): Promise<string> {
  const text = await readFile(join(source, 'alertmanager.yml'), 'utf8');
  return text.replaceAll(
    /^ {2}- name: \w+$/gm,
    (receiver) => `${receiver}\n    webhook_configs: [{ url: '${url}', send_resolved: false }]`,
  );
}

interface Notification {
  alerts: { status: string; labels: Record<string, string> }[];
}

async function startReceiver(): Promise<{ alerts: Set<string>; url: string } & AsyncDisposable> {
  const alerts = new Set<string>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { alerts: sent } = JSON.parse(Buffer.concat(chunks).toString()) as Notification;
      for (const { status, labels } of sent)
        if (status === 'firing')
          alerts.add(
            labels['alertname'] === 'RoleMissing' ? `RoleMissing ${labels['role']}` : labels['alertname']!,
          );
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    alerts,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
    },
  };
}

/** Starts the first of these programs that is installed. */
function startProgram(names: readonly string[], args: readonly string[], cwd: string): AsyncDisposable {
  const program = names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path)) ?? names.at(-1)!;
  const child: ChildProcess = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let lastLines = '';
  child.stderr!.on('data', (chunk: Buffer) => (lastLines = (lastLines + chunk.toString()).slice(-2_000)));
  let isStopping = false;
  child.on('error', (error) => {
    console.error(
      `${program} could not start: ${error.message}. Install prometheus and prometheus-alertmanager.`,
    );
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    if (isStopping) return;
    console.error(`${program} exited with ${code}:\n${lastLines}`);
    process.exit(1);
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    async [Symbol.asyncDispose]() {
      isStopping = true;
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
