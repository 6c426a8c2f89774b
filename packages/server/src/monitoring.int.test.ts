import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIngest } from './ingest/run-ingest.ts';
import { backlogQueues } from './jobs/monitor.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { runKeeper } from './keeper/run-keeper.ts';
import { startTestApp, type TestApp } from './test/apps/test-app.ts';
import { startOpsServer } from './ops/ops-server.ts';

/** What a process that runs every role exports, and what alerts, board and documentation use. */
let app: TestApp;
let scrape = '';
const files = new Map<string, string>();
const resources = new AsyncDisposableStack();

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

beforeAll(async () => {
  for (const file of [
    'deploy/monitoring/alerts.yml',
    'deploy/monitoring/alerts.test.yml',
    'deploy/monitoring/alerts-slow.test.yml',
    'deploy/monitoring/grafana/boards/tributary.json',
    'docs/operating.md',
    'docs/operate/runbooks.md',
    'docs/operate/slos.md',
    'docs/operate/monitoring.md',
  ])
    files.set(file, await read(file));
  app = resources.use(await startTestApp());
  using loop = app.ctx.loops.start('backlog'); // as a process of the role api, which the test app is not entirely
  loop.beat();
  resources.use(runKeeper(app.ctx, () => {}));
  resources.use(await runIngest(app.ctx));
  resources.use(await runJobs(app.ctx));
  const server = await startOpsServer(app.ctx);
  resources.defer(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  const areMeasured = () => Object.keys(backlogQueues).every((queue) => scrape.includes(`queue="${queue}"`));
  while (!areMeasured()) {
    scrape = await (await fetch(url)).text();
    await sleep(100);
  }
});
afterAll(() => resources.disposeAsync());

const exported = () => new Set([...scrape.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!));
/** The metrics that a text names. Series of a histogram have the name of the histogram with an ending. */
const namesIn = (text: string) =>
  new Set(
    [...text.matchAll(/\b(?:tributary|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(?:bucket|count|sum)$/, ''),
    ),
  );

test.each([
  'deploy/monitoring/alerts.yml',
  'deploy/monitoring/alerts.test.yml',
  'deploy/monitoring/grafana/boards/tributary.json',
])('%s uses only metrics that the service exports', (file) => {
  const names = namesIn(files.get(file)!);
  expect(names.size).toBeGreaterThan(15);
  expect([...names].filter((name) => !exported().has(name))).toEqual([]);
});

test('the documentation names only metrics that the service exports, and every one of them', () => {
  // Databases, users and database roles of the examples have the same beginning.
  const documented = [...files]
    .filter(([file]) => file.startsWith('docs/'))
    .flatMap(([, text]) => [...text.matchAll(/`(tributary_[a-z0-9_]+)/g)].map(([, name]) => name!))
    .filter((name) => !/^tributary_(?:owner|service|operator|sign_in|app)$/.test(name));
  expect([...new Set(documented)].filter((name) => !exported().has(name))).toEqual([]);
  const own = [...exported()].filter((name) => name.startsWith('tributary_'));
  const page = files.get('docs/operating.md')!;
  expect(own.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

/** Exported only with a separate key store, or by the role `all`. */
const conditional = new Set(['component="key_store"', 'component="ingest"']);

test('alerts use labels that the metrics have, and loops, queues and components that exist', () => {
  const selectors = [...files.get('deploy/monitoring/alerts.yml')!.matchAll(/(tributary_\w+)\{(.+?)\}/g)];
  expect(selectors.length).toBeGreaterThan(20);
  for (const [, series = '', matchers = ''] of selectors) {
    const name = series.replace(/_(?:bucket|count|sum)$/, '');
    const metric = app.ctx.metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] };
    for (const [, label = '', operator, values = ''] of matchers
      .replaceAll('\\"', '"')
      .matchAll(/(\w+)(!?=~?)"(.*?)"/g)) {
      expect([...metric.labelNames, 'le'], series).toContain(label);
      if (!['loop', 'queue', 'component'].includes(label)) continue;
      for (const value of operator!.endsWith('~') ? values.split('|') : [values]) {
        const matcher = `${label}="${value}"`;
        if (!conditional.has(matcher)) expect(scrape).toMatch(new RegExp(`^${name}\\{[^}]*${matcher}`, 'm'));
      }
    }
  }
});
