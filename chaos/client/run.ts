import type * as Client from '@tributary/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  createTenants,
  type FeedTenant,
  Ledger,
  openService,
  type Patch,
  progress,
  Random,
  type RunStack,
  startRunStack,
} from '@tributary/rig';
import { openPool } from '@tributary/server/testing/database';
import { formatId } from '@tributary/server/testing/ids';
import { checkReader, readStoredFeed, type Verdict } from '../stream/compare.ts';
import { typeOf, userIdOf } from '../stream/kinds.ts';
import { writeSteadily, writeTogether } from '../stream/writer.ts';
import { Follower, type FollowerOptions } from './follower.ts';
import { type Network, startNetwork } from './network.ts';

/** Events that exist before any follower starts. */
const earlier = 1_500;
const mostWaitMs = 60_000;
/** Time for repeated events to arrive. */
const quietMs = 2_000;

export interface ClientRunOptions {
  seed: string;
  events: number;
  perSecond: number;
  kills: number;
  cuts: number;
  /** How long live streams do not work, in the middle of the run. */
  outageMs: number;
  patches?: readonly Patch[];
}

export interface ClientRunResult {
  ledger: Ledger;
  followers: readonly Follower[];
  verdict: Verdict;
  network: Network;
  kills: number;
  cuts: number;
  seconds: number;
}

/** Follows one feed with several clients while nodes are killed and the network is cut, and compares what they received with the feed. */
export async function runClient(options: ClientRunOptions): Promise<ClientRunResult> {
  const startedAt = performance.now();
  const random = new Random(options.seed);
  await using service = await openService(options.patches);
  const client = new URL('../../client/src/index.ts', pathToFileURL(service.program));
  const { Tributary } = (await import(client.href)) as typeof Client;
  await using run = await startRunStack(
    ['api', 'api', 'jobs'],
    { LOG_LEVEL: 'warn' },
    { program: service.program },
  );
  const [tenant] = (await createTenants(run, 1)) as [FeedTenant];
  await using network = await startNetwork(
    run.api.map(({ baseUrl }) => baseUrl),
    random.fork('network'),
  );
  await using sessions = openSessions(run);
  const ledger = new Ledger();
  for (let written = 0; written < earlier; written += 50)
    await writeTogether(sessions.pool, ledger, [tenant], 0, 50);
  await awaitSequenced(run);

  const createClient = () => new Tributary({ baseUrl: network.url, apiKey: tenant.key, form: 2 });
  const followers = kindsOfFollowers().map(
    (kind) => new Follower(kind, createClient, random.fork(kind.name)),
  );
  const [stopWriting, stopFollowing] = [new AbortController(), new AbortController()];
  const following = Promise.all(followers.map((follower) => follower.run(stopFollowing.signal)));
  const load = { perSecond: options.perSecond, random: random.fork('writer') };
  const writing = writeSteadily(sessions.pool, ledger, [tenant], load, stopWriting.signal);
  const faults = causeFaults(run, network, options, ledger, random.fork('faults'));
  await faults;
  while (ledger.committed < options.events) await sleep(50);
  stopWriting.abort();
  await writing;
  await awaitSequenced(run);

  const feed = await readStoredFeed(run.admin, tenant);
  const expectedBy = () => followers.map((follower) => expectedOf(follower, feed));
  await until(() =>
    expectedBy().every((expected, at) => followers[at]!.eventNumbers.length >= Math.max(1, expected.length)),
  );
  await sleep(quietMs);
  stopFollowing.abort();
  await following;
  const verdict: Verdict = { missed: 0, repeated: 0, foreign: 0, disordered: 0 };
  for (const [at, expected] of expectedBy().entries())
    checkReader(followers[at]!.eventNumbers, expected, verdict);
  const seconds = (performance.now() - startedAt) / 1000;
  return { ledger, followers, verdict, network, kills: options.kills, cuts: options.cuts, seconds };
}

const all = (): boolean => true;

/** Followers from the beginning and from now, with and without filters, with and without restarts of their own. */
function kindsOfFollowers(): FollowerOptions[] {
  const userId = userIdOf(3);
  const [from, restarts] = ['beginning', null] as const;
  return [
    { name: 'from the beginning', from, restarts, wants: all },
    { name: 'from now', from: 'now', restarts, wants: all },
    { name: 'restarting often', from, restarts: { atMost: 120 }, wants: all },
    { name: 'restarting seldom', from, restarts: { atMost: 2_000 }, wants: all },
    {
      name: 'one type',
      from,
      restarts,
      type: 'score.updated',
      wants: (number) => typeOf(number) === 'score.updated',
    },
    {
      name: 'one user, restarting',
      from,
      restarts: { atMost: 60 },
      user_id: formatId('user', userId),
      wants: (number) => userIdOf(number) === userId,
    },
  ];
}

/** A follower from now must receive everything since its first event. */
function expectedOf({ options, eventNumbers }: Follower, feed: readonly number[]): number[] {
  const start = options.from === 'now' ? feed.indexOf(eventNumbers[0] ?? -1) : 0;
  return feed.slice(Math.max(0, start)).filter((number) => options.wants(number));
}

/** Kills nodes and cuts the network in turn, evenly over the run. In the middle, streams do not work for a while. */
async function causeFaults(
  run: RunStack,
  network: Network,
  { kills, cuts, events, outageMs }: ClientRunOptions,
  ledger: Ledger,
  random: Random,
): Promise<void> {
  const faults = Array.from({ length: kills + cuts }, (_, at) => (at % 2 === 0 ? 'kill' : 'cut'));
  for (const [at, fault] of faults.entries()) {
    const due = earlier + ((events - earlier) * (at + 1)) / (faults.length + 2);
    while (ledger.committed < due) await sleep(20);
    if (at === Math.floor(faults.length / 2)) await stopStreams(network, outageMs);
    if (fault === 'kill') {
      const victim = run.api[(at / 2) % run.api.length]!;
      progress(`${ledger.committed} events: killing ${victim.name}`);
      victim.signal('SIGKILL');
      await sleep(random.int(0, 1_500));
      await victim.start();
    } else {
      progress(`${ledger.committed} events: cutting the network`);
      network.cut();
      await sleep(random.int(0, 2_500));
      network.restore();
    }
  }
}

/** Live streams are first refused, then held back. The feed keeps working. */
async function stopStreams(network: Network, outageMs: number): Promise<void> {
  progress('refusing live streams, then holding them back');
  network.streams = 'refused';
  network.cut();
  network.restore();
  await sleep(outageMs / 2);
  network.streams = 'held back';
  network.cut();
  network.restore();
  await sleep(outageMs / 2);
  network.streams = 'forwarded';
  network.cut();
  network.restore();
}

function openSessions(run: RunStack): AsyncDisposable & { pool: RunStack['admin'] } {
  const pool = openPool({
    url: run.stack.engines.databaseUrl,
    role: 'operator',
    max: 4,
    statementTimeoutMs: 60_000,
    applicationName: 'proof',
  });
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}

async function awaitSequenced({ admin }: RunStack): Promise<void> {
  const isDone = async (): Promise<boolean> =>
    (await admin.query('SELECT FROM events LIMIT 1')).rowCount === 0;
  for (const startedAt = performance.now(); performance.now() - startedAt < mostWaitMs;) {
    if (await isDone()) return;
    await sleep(50);
  }
  progress('some events are still not sequenced');
}

/** Waits until the condition holds, or until a timeout: the comparison reports what is missing. */
async function until(isSo: () => boolean): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < mostWaitMs;) {
    if (isSo()) return;
    await sleep(100);
  }
}
