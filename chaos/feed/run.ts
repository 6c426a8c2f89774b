import { setTimeout as sleep } from 'node:timers/promises';
import {
  openService,
  createTenants,
  Ledger,
  progress,
  Random,
  type Patch,
  type RunStack,
  startRunStack,
} from '@tributary/rig';
import { openPool } from '@tributary/server/testing/database';
import { compare, type Verdict } from './compare.ts';
import type { Stretch } from './latency.ts';
import { createProofTable, naiveOrders, readNaively } from './naive-reader.ts';
import { createReaders } from './create-readers.ts';
import type { Reader } from './reader.ts';
import { holdOpen, killSequencer, writeLong, type Hold, type Kill, type Scene } from './troubles.ts';
import { runWriters } from './writers.ts';

const accounts = 3;
const mostWaitMs = 20_000;

export interface FeedOptions {
  seed: string;
  /** Minimum number of events to commit. */
  events: number;
  perSecond: number;
  writers: number;
  longTransactions: number;
  kills: number;
  holdMs: number;
  /** Time for code to be compiled and for tables to grow large enough for stable query plans. */
  warmUpMs: number;
  /** Time for the backlog to drain after a disturbance. */
  afterTroubleMs: number;
  patches?: readonly Patch[];
}

export interface FeedResult {
  ledger: Ledger;
  readers: readonly Reader[];
  verdict: Verdict;
  /** Events that the naive reader of each order never saw. */
  missedNaively: number[];
  /** When the feed was disturbed. */
  troubles: Stretch[];
  kills: Kill[];
  holds: Hold[];
  writingSeconds: number;
  seconds: number;
}

/** Writes and reads while disturbing the feed, then compares what every reader received with what was committed. */
export async function runFeed(options: FeedOptions): Promise<FeedResult> {
  const { seed, events, perSecond, writers, kills: killCount, holdMs } = options;
  const startedAt = performance.now();
  const random = new Random(seed);
  await using service = await openService(options.patches);
  await using run = await startRunStack(
    ['api', 'jobs', 'jobs'],
    { LOG_LEVEL: 'warn' },
    { program: service.program },
  );
  const tenants = await createTenants(run, accounts);
  await createProofTable(run.admin);
  const sessions = openPool({
    url: run.stack.engines.databaseUrl,
    role: 'operator',
    max: writers + options.longTransactions + 1,
    statementTimeoutMs: 60_000,
    applicationName: 'proof',
  });
  await using _sessions = { [Symbol.asyncDispose]: () => sessions.end() };
  const ledger = new Ledger();
  const scene: Scene = { run, sessions, ledger, tenants, random: random.fork('troubles') };

  const [stopWriting, stopReading] = [new AbortController(), new AbortController()];
  const load = { writers, perSecond, random: random.fork('writers') };
  const writing = runWriters(sessions, ledger, tenants, load, stopWriting.signal);
  const readers = createReaders(run.api[0]!.baseUrl, tenants, ledger, random);
  const reading = Promise.all(readers.map((reader) => reader.run(stopReading.signal)));
  const readingNaively = Promise.all(
    naiveOrders.map((order) => readNaively(run.admin, order, stopReading.signal)),
  );

  const writingFrom = performance.now();
  const troubles: Stretch[] = [{ from: writingFrom, to: writingFrom + options.warmUpMs }];
  const kills: Kill[] = [];
  const holds: Hold[] = [];
  const untilWritten = async (count: number): Promise<void> => {
    while (ledger.committed < count) await sleep(20);
  };
  /** Waits until this share of the events is written, disturbs the feed, and records the time range. */
  const trouble = async (part: number, title: string, make: () => Promise<unknown>): Promise<void> => {
    await untilWritten(part * events);
    progress(`${ledger.committed} events: ${title}`);
    const from = performance.now();
    await make();
    await sleep(options.afterTroubleMs);
    troubles.push({ from, to: performance.now() });
  };
  await trouble(0.2, 'long transactions', () => writeLong(scene, options.longTransactions));
  await trouble(0.4, 'holding a transaction open', async () => holds.push(await holdOpen(scene, holdMs)));
  for (let kill = 0; kill < killCount; kill += 1)
    await trouble(0.6 + 0.2 * kill, 'killing the sequencer', async () =>
      kills.push(await killSequencer(scene)),
    );
  await untilWritten(events);
  stopWriting.abort();
  await writing;
  const writingSeconds = (performance.now() - writingFrom) / 1000;

  await awaitSequenced(run);
  stopReading.abort();
  await reading;
  const missedNaively = (await readingNaively).map((seen) => ledger.committed - seen);
  progress('comparing');
  const verdict = await compare(run.admin, ledger, tenants, readers);
  const seconds = (performance.now() - startedAt) / 1000;
  return { ledger, readers, verdict, missedNaively, troubles, kills, holds, writingSeconds, seconds };
}

/** Waits until every event is sequenced. Gives up only if there is no progress for a while, since a busy machine may be slow. */
async function awaitSequenced({ admin }: RunStack): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY;
  let fellAt = performance.now();
  while (performance.now() - fellAt < mostWaitMs) {
    const { rows } = await admin.query<{ waiting: number }>('SELECT count(*)::int4 AS waiting FROM events');
    const { waiting } = rows[0]!;
    if (waiting === 0) return;
    if (waiting < fewest) {
      fewest = waiting;
      fellAt = performance.now();
    }
    await sleep(100);
  }
  progress('some events are still not sequenced');
}
