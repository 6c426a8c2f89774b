import { setTimeout as sleep } from 'node:timers/promises';
import {
  openService,
  createTenants,
  type FeedTenant,
  Ledger,
  progress,
  Random,
  type Patch,
  type RunStack,
  startRunStack,
} from '@tributary/rig';
import { openEventsCursor } from '@tributary/server/testing/events';
import { openPool } from '@tributary/server/testing/database';
import { expectedOf, checkReader, readStoredFeed, type Verdict } from './compare.ts';
import { createReaders } from './create-readers.ts';
import type { StreamReader } from './reader.ts';
import { writeSteadily, writeTogether } from './writer.ts';

const accounts = 3;
/** Events that exist before any reader starts. */
const earlier = 400;
const victim = 0;
const survivor = 1;
const mostWaitMs = 30_000;
/** Time for repeated or late events to arrive. */
const quietMs = 1_500;

export interface StreamOptions {
  seed: string;
  readers: number;
  perSecond: number;
  /** How long to write before the kill, while the node is down, and after it is back. */
  stageMs: number;
  patches?: readonly Patch[];
}

export interface StreamResult {
  ledger: Ledger;
  readers: readonly StreamReader[];
  verdict: Verdict;
  /** Latency from commit to a connected reader, without disturbance and around the kill. */
  calmMs: number[];
  troubledMs: number[];
  /** For every reader that lost its stream, the time from the kill to its next stream. */
  resumeMs: number[];
  /** Readers that moved to the restarted node. */
  moved: number;
  seconds: number;
}

/** Follows feeds on two nodes, kills one, and compares what every reader received with the feeds. */
export async function runStream(options: StreamOptions): Promise<StreamResult> {
  const { seed, perSecond, stageMs } = options;
  const startedAt = performance.now();
  const random = new Random(seed);
  await using service = await openService(options.patches);
  await using run = await startRunStack(
    ['api', 'api', 'jobs'],
    { LOG_LEVEL: 'warn' },
    { program: service.program },
  );
  const tenants = await createTenants(run, accounts);
  const sessions = openPool({
    url: run.stack.engines.databaseUrl,
    role: 'operator',
    max: 4,
    statementTimeoutMs: 60_000,
    applicationName: 'proof',
  });
  await using _sessions = { [Symbol.asyncDispose]: () => sessions.end() };
  const ledger = new Ledger();
  for (const tenant of tenants.keys()) await writeTogether(sessions, ledger, tenants, tenant, earlier);
  await awaitSequenced(run);

  const [calmMs, troubledMs]: [number[], number[]] = [[], []];
  let troubleUntil = 0;
  const onEvent = (number: number, listensSince: number): void => {
    const committedAt = ledger.committedAt(number);
    // A reader can receive an event before its writer is notified of the commit.
    if (committedAt === 0 || committedAt > listensSince)
      (performance.now() < troubleUntil ? troubledMs : calmMs).push(
        committedAt === 0 ? 0 : Math.max(0, performance.now() - committedAt),
      );
  };
  const readers = await createReaders(run, tenants, options.readers, random.fork('readers'), onEvent);
  const [stopWriting, stopReading] = [new AbortController(), new AbortController()];
  progress(`starting ${readers.length} readers`);
  const reading = Promise.all(readers.map((reader) => reader.run(stopReading.signal)));
  await until(() => readers.every(({ connections }) => connections > 0));

  const load = { perSecond, random: random.fork('writer') };
  const writing = writeSteadily(sessions, ledger, tenants, load, stopWriting.signal);
  await sleep(stageMs);

  const bereaved = readers.filter(({ home }) => home === victim);
  progress(`${ledger.committed} events: killing a node with ${bereaved.length} readers`);
  const killedAt = performance.now();
  troubleUntil = killedAt + stageMs;
  run.api[victim]!.signal('SIGKILL');
  await sleep(stageMs);
  const resumeMs = bereaved.map(
    ({ begunAt }) => (begunAt.find((at) => at > killedAt) ?? Infinity) - killedAt,
  );

  await run.api[victim]!.start();
  const movers = random.fork('movers');
  const moving = readers.filter(({ home }) => home === survivor && movers.chance(0.4));
  progress(`${ledger.committed} events: node restarted, ${moving.length} readers move to it`);
  for (const reader of moving) reader.moveTo(victim);
  await sleep(stageMs);
  stopWriting.abort();
  await writing;
  await awaitSequenced(run);

  const { keyring } = run;
  const expected = await expectations(run, tenants, readers, (reader) =>
    openEventsCursor({ keyring }, tenants[reader.tenant]!, reader.firstCursor!),
  );
  await until(() => readers.every(({ eventNumbers }, at) => eventNumbers.length >= expected[at]!.length));
  await sleep(quietMs);
  stopReading.abort();
  await reading;
  const verdict: Verdict = { missed: 0, repeated: 0, foreign: 0, disordered: 0 };
  for (const [at, { eventNumbers }] of readers.entries()) checkReader(eventNumbers, expected[at]!, verdict);
  const moved = moving.filter(({ home }) => home === victim).length;
  const seconds = (performance.now() - startedAt) / 1000;
  return { ledger, readers, verdict, calmMs, troubledMs, resumeMs, moved, seconds };
}

async function expectations(
  run: RunStack,
  tenants: readonly FeedTenant[],
  readers: readonly StreamReader[],
  placeOf: (reader: StreamReader) => number,
): Promise<number[][]> {
  const feeds = await Promise.all(tenants.map((tenant) => readStoredFeed(run.admin, tenant)));
  return readers.map((reader) => expectedOf(reader, feeds[reader.tenant]!, placeOf(reader)));
}

async function awaitSequenced({ admin }: RunStack): Promise<void> {
  const none = async (): Promise<boolean> => (await admin.query('SELECT FROM events LIMIT 1')).rowCount === 0;
  for (const startedAt = performance.now(); performance.now() - startedAt < mostWaitMs;) {
    if (await none()) return;
    await sleep(50);
  }
  progress('some events are still not sequenced');
}

/** Waits until the condition holds, or until a timeout: the comparison reports what is missing. */
async function until(isSo: () => boolean): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < mostWaitMs;) {
    if (isSo()) return;
    await sleep(50);
  }
}
