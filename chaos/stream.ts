/**
 * The live stream misses and repeats nothing: hundreds of readers follow feeds at two nodes, connections break at any byte, one node is
 * killed and comes back; still every reader gets every event that it asked for once, in order.
 */
import { parseArgs } from 'node:util';
import {
  chooseFaults,
  findFaults,
  limitRunTime,
  listFaults,
  progress,
  quantile,
  Report,
} from '@tributary/rig';
import { plants } from './stream/plants.ts';
import { runStream, type StreamOptions, type StreamResult } from './stream/run.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    readers: { type: 'string' },
    seed: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:stream -- [--short] [--readers <number>] [--seed <text>] [--plant <name> | --plant-all]

Follows the events of six environments with readers at two api nodes while events are written. Connections break off at any byte, one
node is killed and comes back, and readers go on with the last id that they have. What each got is compared with the feed.

  --short      200 readers and stages of 6 s instead of 1,000 and 30 s
  --readers    so many readers
  --seed       the same seed plans the same readers, filters and cuts
  --plant      puts a fault into a copy of the service; the run succeeds if the comparison finds it
  --plant-all  all of them, one after the other

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? String(Math.floor(Math.random() * 1e6));
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const options: StreamOptions = {
  seed,
  readers: Number(values.readers ?? (isShort ? 200 : 1_000)),
  perSecond: 100,
  stageMs: isShort ? 6_000 : 30_000,
};
const mostResumeMs = options.stageMs;
/** Machines of CI are shared: the short form shows there that nothing is stuck, and the full one how fast it is. */
const mostP99Ms = isShort ? 3_000 : 1_000;
limitRunTime(isShort ? 5 * (chosen?.length ?? 1) : 10);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign }) => {
    const { verdict } = await runStream({ ...options, patches });
    const counts = Object.entries(verdict).map(([what, count]) => `${what} ${count}`);
    return { isFound: verdict[sign] > 0, sign, inAll: counts.join(', ') };
  });
else prove(await runStream(options));

function prove({ ledger, readers, verdict, ...times }: StreamResult): void {
  const report = new Report();
  const sum = (of: (reader: StreamResult['readers'][number]) => number): number =>
    readers.reduce((total, reader) => total + of(reader), 0);
  report.note('seed', seed);
  report.note('readers, of them filtered', `${readers.length}, ${sum(isFiltered)}`);
  report.note('events written, messages read', `${ledger.committed}, ${sum(({ taken }) => taken.length)}`);
  report.note(
    'streams, broken off at some byte, moved to the node that came back',
    `${sum(({ connections }) => connections)}, ${sum(({ cuts }) => cuts)}, ${times.moved}`,
  );
  const refusals = readers.flatMap((reader) => reader.refusals);
  const sample = refusals[0] === undefined ? '' : `, such as ${refusals[0]}`;
  report.bound('answers other than a stream', `${refusals.length}${sample}`, '0', refusals.length === 0);
  for (const [what, count] of Object.entries(verdict)) report.bound(what, String(count), '0', count === 0);
  report.bound(
    `node killed: ${times.resumeMs.length} readers resumed after`,
    describe(times.resumeMs),
    `≤ ${mostResumeMs} ms`,
    times.resumeMs.length > 0 && Math.max(...times.resumeMs) <= mostResumeMs,
  );
  report.bound(
    'commit to reader, in calm',
    describe(times.calmMs),
    `p99 < ${mostP99Ms} ms`,
    quantile(times.calmMs, 0.99) < mostP99Ms,
  );
  report.note('the same after the kill', describe(times.troubledMs));
  report.print(`Live stream of events, 2 nodes, ${times.seconds.toFixed(0)} s`);
}

function isFiltered({ filter }: StreamResult['readers'][number]): number {
  return filter.types !== null || filter.user !== null ? 1 : 0;
}

function describe(found: readonly number[]): string {
  const of = (part: number): string => quantile(found, part).toFixed(0);
  return `p50 ${of(0.5)}, p99 ${of(0.99)}, most ${of(1)} ms`;
}
