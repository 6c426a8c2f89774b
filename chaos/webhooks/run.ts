import { setTimeout as sleep } from 'node:timers/promises';
import {
  openService,
  createTenants,
  type FeedTenant,
  numberIn,
  progress,
  quantile,
  Random,
  type Patch,
  type RunStack,
  startRunStack,
} from '@tributary/rig';
import { openPool } from '@tributary/server/testing/database';
import type { StackNode } from '@tributary/stack';
import { Deliveries } from './deliveries.ts';
import { Receivers } from './receivers.ts';
import { writeEvents, type Writing } from './write-events.ts';

export interface WebhooksOptions {
  seed: string;
  endpoints: number;
  hanging: number;
  failing: number;
  /** Number of events under kills and restarts, and their rate. */
  events: number;
  perSecond: number;
  kills: number;
  restarts: number;
  /** Number of events written at once, to measure delivery throughput. */
  burst: number;
  /** Number and length of the measurements without and with hanging endpoints. */
  rounds: number;
  roundSeconds: number;
  /** How long to wait for the last deliveries. */
  mostDrainMs: number;
  patches?: readonly Patch[];
}

export interface WebhooksResult {
  deliveries: Deliveries;
  receivers: Receivers;
  burstPerSecond: number;
  /** p99 of healthy endpoints per round: while all respond, and while some hang. */
  calmP99: number[];
  hangingP99: number[];
  /** Time from commit to delivery at healthy endpoints, under kills and restarts. */
  latencies: number[];
  troubledSeconds: number;
  outOfOrder: number;
  /** Deliveries that the service itself counts as unfinished. */
  pending: number;
  drainSeconds: number;
}

const hour = 3_600_000;

/**
 * Delivers events while endpoints hang and fail, workers are killed and the broker is restarted, and compares the deliveries with the
 * committed events.
 */
export async function runWebhooks(options: WebhooksOptions): Promise<WebhooksResult> {
  const random = new Random(options.seed);
  await using service = await openService(options.patches);
  await using run = await startRunStack(
    ['api', 'jobs', 'jobs', 'jobs'],
    { LOG_LEVEL: 'warn', TRIBUTARY_ENV: 'test', TEST_CLOCK: 'true', OUTBOUND_ALLOW: '127.0.0.1' },
    { program: service.program },
  );
  const tenants = await createTenants(run, options.endpoints / 2);
  const deliveries = new Deliveries();
  await using receivers = new Receivers(options.endpoints, deliveries, random.fork('receivers'));
  const urlOf = await receivers.start();
  for (const [at, tenant] of tenants.entries())
    receivers.know(at, await createWebhook(run, tenant, urlOf(at)));

  const sessions = openPool({
    url: run.stack.engines.databaseUrl,
    role: 'operator',
    max: 8,
    statementTimeoutMs: 60_000,
    applicationName: 'proof',
  });
  await using _sessions = { [Symbol.asyncDispose]: () => sessions.end() };
  const writing: Writing = { db: sessions, deliveries, tenants, random: random.fork('writing') };
  const scene = { run, options, receivers, deliveries, writing };

  progress('warming up');
  await writeEvents(writing, options.burst / 4, options.perSecond);
  await untilAllArrived(scene);
  progress(`${options.burst} events at full speed`);
  const burstPerSecond = await measureBurst(scene);
  progress('alternately without and with hanging endpoints');
  const { calmP99, hangingP99 } = await compareHanging(scene);
  progress(`${options.events} events under kills and restarts`);
  const { latencies, troubledSeconds } = await deliverUnderFire(scene, random.fork('troubles'));

  progress('all endpoints respond again, and the clock advances');
  receivers.behaviors.fill('healthy');
  const drainSeconds = await drain(scene);
  const { rows } = await run.admin.query<{ pending: number }>(
    `SELECT count(*)::int AS pending FROM deliveries WHERE state <> 'succeeded'`,
  );
  return {
    deliveries,
    receivers,
    burstPerSecond,
    calmP99,
    hangingP99,
    latencies,
    troubledSeconds,
    outOfOrder: deliveries.outOfOrder(await readPlaces(run)),
    pending: rows[0]!.pending,
    drainSeconds,
  };
}

interface Scene {
  run: RunStack;
  options: WebhooksOptions;
  receivers: Receivers;
  deliveries: Deliveries;
  writing: Writing;
}

async function createWebhook({ api }: RunStack, { key }: FeedTenant, url: string): Promise<string> {
  const response = await fetch(`${api[0]!.baseUrl}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['*'], coalesce_seconds: 0 }),
  });
  if (response.status !== 201)
    throw new Error(`could not create a webhook: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { secret: string } };
  return data.secret;
}

async function untilAllArrived({ deliveries, options }: Scene): Promise<void> {
  const until = performance.now() + options.mostDrainMs;
  while (deliveries.lost > 0 && performance.now() < until) await sleep(50);
}

async function measureBurst(scene: Scene): Promise<number> {
  const { options, deliveries, writing } = scene;
  const before = deliveries.succeeded;
  const startedAt = performance.now();
  await writeEvents(writing, options.burst, 1_000_000);
  await untilAllArrived(scene);
  return (deliveries.succeeded - before) / ((performance.now() - startedAt) / 1000);
}

/** Endpoints that will hang come first, then those that will fail, then the healthy ones. */
function isHealthy({ hanging, failing }: WebhooksOptions): (endpoint: number) => boolean {
  return (endpoint) => endpoint >= hanging + failing;
}

/** Applies the same load alternately with all endpoints responding and with some hanging. */
async function compareHanging(scene: Scene): Promise<{ calmP99: number[]; hangingP99: number[] }> {
  const { options, receivers, deliveries, writing } = scene;
  const measureP99 = async (): Promise<number> => {
    const from = performance.now();
    await writeEvents(writing, options.perSecond * options.roundSeconds, options.perSecond);
    const to = performance.now();
    await sleep(1_500);
    return quantile(deliveries.latencies(from, to, isHealthy(options)), 0.99);
  };
  const [calmP99, hangingP99]: [number[], number[]] = [[], []];
  for (let round = 0; round < options.rounds; round += 1) {
    calmP99.push(await measureP99());
    receivers.behaviors.fill('hanging', 0, options.hanging);
    hangingP99.push(await measureP99());
    receivers.behaviors.fill('healthy');
    progress(`round ${round + 1}: p99 ${calmP99.at(-1)!.toFixed(0)} and ${hangingP99.at(-1)!.toFixed(0)} ms`);
    await drain(scene);
  }
  return { calmP99, hangingP99 };
}

async function deliverUnderFire(
  scene: Scene,
  random: Random,
): Promise<{ latencies: number[]; troubledSeconds: number }> {
  const { options, receivers, deliveries, writing } = scene;
  receivers.behaviors.fill('hanging', 0, options.hanging);
  receivers.behaviors.fill('failing', options.hanging, options.hanging + options.failing);
  const from = performance.now();
  const wroteAll = writeEvents(writing, options.events, options.perSecond);
  await Promise.all([wroteAll, makeTroubles(scene, random)]);
  const to = performance.now();
  await sleep(2_000);
  return {
    latencies: deliveries.latencies(from, to, isHealthy(options)),
    troubledSeconds: (to - from) / 1000,
  };
}

/** Kills workers one after another, with restarts of the broker in between, spread over the time that writing takes. */
async function makeTroubles({ run, options }: Scene, random: Random): Promise<void> {
  const { events, perSecond, kills, restarts } = options;
  const everyMs = ((events / perSecond) * 1000) / (kills + restarts + 1);
  const workers = run.stack.nodes.filter((node): node is StackNode => node.role === 'jobs');
  const restartAt = new Set(
    Array.from({ length: restarts }, (_, at) => Math.floor(((at + 0.5) * kills) / restarts)),
  );
  const startedAt = performance.now();
  let done = 0;
  const untilNext = () => sleep(Math.max(0, startedAt + ++done * everyMs - performance.now()));
  for (let kill = 0; kill < kills; kill += 1) {
    await untilNext();
    const victim = random.pick(workers);
    victim.signal('SIGKILL');
    await victim.start();
    if (!restartAt.has(kill)) continue;
    await untilNext();
    progress(`${kill + 1} kills; restarting NATS`);
    const { nats } = run.stack.engines;
    nats.signal('SIGKILL');
    await nats.start();
  }
}

/** Advances the clock past the retry delays until every event has arrived. Returns the number of seconds it took. */
async function drain({ run, deliveries, options }: Scene): Promise<number> {
  const startedAt = performance.now();
  while (deliveries.lost > 0 && performance.now() - startedAt < options.mostDrainMs) {
    await run.admin.query(
      `INSERT INTO clock_offset (offset_ms) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET offset_ms = clock_offset.offset_ms + $1`,
      [hour],
    );
    await sleep(1_000);
  }
  return (performance.now() - startedAt) / 1000;
}

async function readPlaces({ admin }: RunStack): Promise<Map<number, number>> {
  const { rows } = await admin.query<{ id: string; position: number }>('SELECT id, position FROM feed');
  return new Map(rows.map(({ id, position }) => [numberIn(id), position]));
}
