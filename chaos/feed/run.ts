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
  /** Events to commit, at least. */
  events: number;
  perSecond: number;
  writers: number;
  longTransactions: number;
  kills: number;
  holdMs: number;
  /** Until processes are compiled and tables large enough to be planned for. */
  warmUpMs: number;
  /** Until what was held up is worked off, and calm returns. */
  afterTroubleMs: number;
  patches?: readonly Patch[];
}

export interface FeedResult {
  ledger: Ledger;
  readers: readonly Reader[];
  verdict: Verdict;
  /** Events that a naive reader of each order never saw. */
  missedNaively: number[];
  /** When something was done to the feed. */
  troubles: Stretch[];
  kills: Kill[];
  holds: Hold[];
  writingSeconds: number;
  seconds: number;
}

/** Writes and reads under troubles, then compares what every reader got with what was committed. */
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
  /** Waits until this part of the events is written, makes the trouble, and takes down until when it was not calm. */
  const trouble = async (part: number, title: string, make: () => Promise<unknown>): Promise<void> => {
    await untilWritten(part * events);
    progress(`${ledger.committed} events: ${title}`);
    const from = performance.now();
    await make();
    await sleep(options.afterTroubleMs);
    troubles.push({ from, to: performance.now() });
  };
  await trouble(0.2, 'long transactions', () => writeLong(scene, options.longTransactions));
  await trouble(0.4, 'a transaction held open', async () => holds.push(await holdOpen(scene, holdMs)));
  for (let kill = 0; kill < killCount; kill += 1)
    await trouble(0.6 + 0.2 * kill, 'a kill', async () => kills.push(await killSequencer(scene)));
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

/** Gives up only when no event was sequenced for a while: on a busy machine the rest takes its time. */
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
  progress('some events still wait for their place');
}
