import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Outcome,
  progress,
  type Report,
  type RunStack,
  type SilentProxy,
  startRunStack,
  startSilentProxy,
} from '@tributary/rig';
import { openPool } from '@tributary/server/testing/database';
import { type Role, type RunningEngines, startEngines } from '@tributary/stack';
import { awaitDrain } from '../ingest/check/check.ts';
import { Bystanders } from './bystanders.ts';
import type { Plant, Scenario, Setup } from './scenario.ts';
import { LoopWatch } from './silent-host/loop-watch.ts';

/** What disappears: all connections to an engine, or only the direct ones to PostgreSQL, which hold session locks. */
const hosts = ['database', 'direct', 'nats', 'redis'] as const;
type Host = (typeof hosts)[number];

interface Round {
  hosts: readonly Host[];
  silentMs: number;
}

/** The short form runs beside other proofs. */
const mostRecoveryMs = { short: 25_000, full: 15_000 };
/** A lost client of PostgreSQL is detected after 40 seconds. */
const mostLeakMs = 55_000;
const restMs = 1_500;
/** Sequencer, auditor, two ingest workers, history, deliveries and syncing. */
const sessionCount = 7;
/** How long to wait for a recovery that comes too late. */
const patienceMs = 30_000;

export const silentHost: Scenario = {
  name: 'silent-host',
  title: 'Connections to PostgreSQL, NATS and Redis go quiet without a reset',
  run,
  plants: listPlants(),
};

async function run({ program, isShort, random, report }: Setup): Promise<void> {
  const between = (least: number, most: number): number => random.int(least * 1_000, most * 1_000);
  const rounds: Round[] = isShort
    ? [
        { hosts: ['direct'], silentMs: 500 },
        { hosts: ['database', 'direct', 'nats', 'redis'], silentMs: 13_000 },
      ]
    : Array.from({ length: 30 }, (_, at): Round => {
        const host: Round['hosts'][] = [['database', 'direct'], ['direct'], ['database', 'direct']];
        if (at % 6 === 4) return { hosts: ['nats'], silentMs: between(1, 30) };
        if (at % 6 === 5) return { hosts: ['redis'], silentMs: between(1, 10) };
        return { hosts: host[at % 3]!, silentMs: between(0, 25) };
      });

  await using silent = await startSilentStack(program, isShort ? ['all'] : ['api', 'ingest', 'jobs']);
  const { proxies, running, admin } = silent;
  using bystanders = await Bystanders.create(running);
  using watch = new LoopWatch(running.stack.nodes);
  const recoveredMs: number[] = [];
  const observed = await bystanders.observe(async () => {
    await awaitSessions(proxies.direct);
    await watch.recovered(Date.now(), 2 * patienceMs);
    for (const [at, { hosts: quiet, silentMs }] of rounds.entries()) {
      for (const host of quiet) proxies[host].silence();
      await sleep(silentMs);
      for (const host of quiet) proxies[host].heal();
      const tookMs = await watch.recovered(Date.now(), patienceMs);
      recoveredMs.push(tookMs);
      progress(
        `${at + 1} of ${rounds.length}: ${quiet.join(', ')} silent for ${inSeconds(silentMs)}, recovered after ${inSeconds(tookMs)}`,
      );
      if (tookMs === Infinity) break;
      await sleep(restMs);
    }
  });
  report.note('times that connections went quiet', String(rounds.length));
  reportRecovery(report, watch, recoveredMs, isShort ? mostRecoveryMs.short : mostRecoveryMs.full);
  await reportUploads(report, running, admin, observed.requests);
  await reportLeaks(report, silent);
}

function listPlants(): readonly Plant[] {
  const server = 'packages/server/src';
  return [
    {
      name: 'no-deadline',
      title: 'statements wait forever for a silent host',
      patches: [
        {
          file: `${server}/store/database/watched-client.ts`,
          find: 'now - this.#progressAt < this.#deadlineMs',
          replace: 'now - this.#progressAt < Infinity',
        },
      ],
    },
    {
      name: 'deaf-readiness',
      title: 'readiness ignores background loops without progress',
      patches: [
        {
          file: `${server}/ops/readiness.ts`,
          find: 'silent.length === 0 ?',
          replace: 'silent.length >= 0 ?',
        },
      ],
    },
  ];
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

interface SilentStack extends AsyncDisposable {
  running: RunStack;
  proxies: Record<Host, SilentProxy>;
  /** A direct connection as superuser. */
  admin: RunStack['admin'];
}

/** Starts the service behind proxies that can go quiet. */
async function startSilentStack(program: string, roles: readonly Role[]): Promise<SilentStack> {
  await using resources = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'tributary-silent-'));
  resources.defer(() => rm(dir, { recursive: true, force: true }));
  const engines: RunningEngines = resources.use(await startEngines({ dir }));
  const proxies = {
    database: resources.use(await startSilentProxy(engines.databaseUrl)),
    direct: resources.use(await startSilentProxy(engines.databaseUrl)),
    nats: resources.use(await startSilentProxy(engines.natsUrl)),
    redis: resources.use(await startSilentProxy(engines.redisUrl)),
  };
  const running = resources.use(
    await startRunStack(
      roles,
      { LOG_LEVEL: 'warn', DATABASE_DIRECT_URL: proxies.direct.through(engines.databaseUrl) },
      {
        program,
        existing: {
          databaseUrl: proxies.database.through(engines.databaseUrl),
          natsUrl: proxies.nats.through(engines.natsUrl),
          redisUrl: proxies.redis.through(engines.redisUrl),
        },
      },
    ),
  );
  const admin = resources.adopt(openAdmin(engines), (pool) => pool.end());
  const owned = resources.move();
  return { running, proxies, admin, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function openAdmin(engines: RunningEngines): RunStack['admin'] {
  const url = new URL(engines.adminDatabaseUrl);
  url.pathname = '/tributary';
  return openPool({
    url: url.href,
    role: 'owner',
    max: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'proof',
  });
}

/** Batches that a node has processed. */
async function readIngested(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^tributary_ingest_batches_total (\d+)/m.exec(text)?.[1] ?? 0);
}

/** Waits until the loops have opened their sessions. Before, there is nothing to silence. */
async function awaitSessions(direct: SilentProxy): Promise<void> {
  const until = performance.now() + 2 * patienceMs;
  while (direct.open < sessionCount && performance.now() < until) await sleep(100);
  await sleep(restMs); // until they have also signed in
}

function reportRecovery(
  report: Report,
  watch: LoopWatch,
  recoveredMs: readonly number[],
  mostMs: number,
): void {
  const slowest = Math.max(...recoveredMs);
  report.bound(
    'time until all loops work again and all nodes are ready, after new connections work',
    recoveredMs.map((ms) => inSeconds(ms)).join(', '),
    `≤ ${mostMs / 1000} s`,
    slowest <= mostMs,
  );
  report.bound(
    'nodes that were ready although a loop had been silent for 10 s',
    `${watch.readyWhileSilent.length} of ${watch.checks} checks${watch.readyWhileSilent[0] ? `, first: ${watch.readyWhileSilent[0]}` : ''}`,
    '0',
    watch.readyWhileSilent.length === 0,
  );
}

async function reportUploads(
  report: Report,
  { stack }: RunStack,
  admin: RunStack['admin'],
  requests: readonly Outcome[],
): Promise<void> {
  const unexpected = requests.filter(({ status }) => status !== null && status >= 400 && status !== 503);
  report.bound(
    'failed requests with a status other than 503',
    `${unexpected.length} of ${requests.length}${unexpected[0] ? `, first: ${unexpected[0].status} ${unexpected[0].body.slice(0, 80)}` : ''}`,
    '0',
    unexpected.length === 0,
  );
  const { pending } = await awaitDrain(admin, 30_000);
  report.bound('uploads pending after 30 s', String(pending), '0', pending === 0);
  const acknowledged = requests
    .filter(({ call, status }) => call.method === 'POST' && status === 202)
    .map(({ call }) => (call.body as { batch_id: string }).batch_id);
  const { rows } = await admin.query<{ batch_id: string }>(
    `SELECT batch_id FROM receipts WHERE NOT failed AND batch_id = ANY($1)`,
    [acknowledged],
  );
  const lost = acknowledged.length - rows.length;
  report.bound('acknowledged uploads lost', `${lost} of ${acknowledged.length}`, '0', lost === 0);
  const counted = await Promise.all(stack.nodes.map((node) => readIngested(node.metricsUrl)));
  const processed = counted.reduce((sum, count) => sum + count, 0);
  const stored = await admin.query<{ count: number }>('SELECT count(*) FROM raw_batches');
  const twice = Math.max(0, processed - stored.rows[0]!.count);
  report.bound(
    'uploads processed twice',
    `${twice} of ${stored.rows[0]!.count}`,
    '0, and some were processed',
    twice === 0 && acknowledged.length > 0,
  );
}

async function reportLeaks(report: Report, { proxies, admin }: SilentStack): Promise<void> {
  const sockets = () => hosts.map((host) => `${host} ${proxies[host].abandoned}`).join(', ');
  const abandoned = () => hosts.reduce((sum, host) => sum + proxies[host].abandoned, 0);
  const startedAt = performance.now();
  let sessions = { count: Infinity, open: 0 };
  for (;;) {
    const { rows } = await admin.query<{ count: number }>(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'tributary-%'`,
    );
    sessions = { count: rows[0]!.count, open: proxies.database.open + proxies.direct.open };
    const isClean = sessions.count <= sessions.open && abandoned() === 0;
    if (isClean || performance.now() - startedAt > mostLeakMs) break;
    await sleep(500);
  }
  report.bound('connections that the service did not close', sockets(), '0', abandoned() === 0);
  report.bound(
    'sessions of PostgreSQL without a client',
    `${Math.max(0, sessions.count - sessions.open)} of ${sessions.count}`,
    '0',
    sessions.count <= sessions.open,
  );
}
