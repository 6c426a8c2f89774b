/**
 * `events.follow` of the client misses and repeats nothing. Several clients follow one feed through a load balancer while nodes are killed,
 * the network is cut, responses break at any byte, and live streams are refused or held back for a while. Some clients stop in the middle of
 * a page and continue with their stored cursor.
 */
import { parseArgs } from 'node:util';
import {
  chooseFaults,
  findFaults,
  limitRunTime,
  listFaults,
  newSeed,
  progress,
  Report,
} from '@tributary/rig';
import { plants } from './client/plants.ts';
import { runClient, type ClientRunOptions, type ClientRunResult } from './client/run.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    events: { type: 'string' },
    seed: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:client -- [--short] [--events <number>] [--seed <text>] [--plant <name> | --plant-all]

Follows a feed with six clients while events are written, two api nodes are killed, the network is cut and live streams stop working.
Compares what each client received with the feed.

  --short      4,000 events, 2 kills and 2 cuts instead of 100,000, 20 and 20
  --events     number of events
  --seed       reuse a seed to repeat the same faults
  --plant      plant a fault in a copy of the client; the run passes if the proof detects it
  --plant-all  plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? newSeed();
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const times = isShort ? 2 : 20;
const options: ClientRunOptions = {
  seed,
  events: Number(values.events ?? (isShort ? 4_000 : 100_000)),
  perSecond: isShort ? 200 : 300,
  kills: times,
  cuts: times,
  outageMs: isShort ? 12_000 : 60_000,
};
limitRunTime(isShort ? 5 * (chosen?.length ?? 1) : 20);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign }) => {
    const { verdict } = await runClient({ ...options, patches });
    const counts = Object.entries(verdict).map(([what, count]) => `${what} ${count}`);
    return { isDetected: verdict[sign] > 0, sign, inAll: counts.join(', ') };
  });
else prove(await runClient(options));

function prove({ ledger, followers, verdict, network, kills, cuts, seconds }: ClientRunResult): void {
  const report = new Report();
  const sum = (of: (follower: ClientRunResult['followers'][number]) => number): number =>
    followers.reduce((total, follower) => total + of(follower), 0);
  const failures = followers.flatMap(({ failure }) => failure ?? []);
  const fallbacks = sum((follower) => follower.fallbacks);
  report.note('seed', seed);
  report.note(
    'events written, received',
    `${ledger.committed}, ${sum(({ eventNumbers }) => eventNumbers.length)}`,
  );
  report.note('nodes killed, network cut, responses broken', `${kills}, ${cuts}, ${network.broken}`);
  report.note('restarts of clients with a stored cursor', String(sum(({ restarts }) => restarts)));
  report.bound('errors that ended a client', failures[0] ?? '0', '0', failures.length === 0);
  // The outage of the short form ends before every client has given up the stream.
  const fewestFallbacks = isShort ? followers.length / 2 : followers.length;
  report.bound(
    'changes from the stream to the feed',
    String(fallbacks),
    `≥ ${fewestFallbacks}`,
    fallbacks >= fewestFallbacks,
  );
  for (const [what, count] of Object.entries(verdict)) report.bound(what, String(count), '0', count === 0);
  report.print(`Following events through the client, 2 nodes, ${seconds.toFixed(0)} s`);
}
