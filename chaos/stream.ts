/**
 * The live stream misses and repeats nothing. Hundreds of readers follow feeds on two nodes, connections break at any byte, and one node is
 * killed and comes back. Every reader still gets each event that it subscribed to exactly once, in order.
 */
import { parseArgs } from 'node:util';
import {
  chooseFaults,
  findFaults,
  limitRunTime,
  listFaults,
  newSeed,
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

Follows the events of six environments with readers at two api nodes while events are written. Connections break at any byte, one node
is killed and restarted, and readers resume with the last id they have. Compares what each reader received with the feed.

  --short      200 readers and stages of 6 s instead of 1,000 and 30 s
  --readers    number of readers
  --seed       reuse a seed to repeat the same readers, filters and disconnects
  --plant      plant a fault in a copy of the service; the run passes if the proof detects it
  --plant-all  plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? newSeed();
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const options: StreamOptions = {
  seed,
  readers: Number(values.readers ?? (isShort ? 200 : 1_000)),
  perSecond: 100,
  stageMs: isShort ? 6_000 : 30_000,
};
const mostResumeMs = options.stageMs;
/** CI machines are shared. There, the short run only shows that nothing is stuck; the full run measures latency. */
const mostP99Ms = isShort ? 3_000 : 1_000;
limitRunTime(isShort ? 5 * (chosen?.length ?? 1) : 10);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign }) => {
    const { verdict } = await runStream({ ...options, patches });
    const counts = Object.entries(verdict).map(([what, count]) => `${what} ${count}`);
    return { isDetected: verdict[sign] > 0, sign, inAll: counts.join(', ') };
  });
else prove(await runStream(options));

function prove({ ledger, readers, verdict, ...times }: StreamResult): void {
  const report = new Report();
  const sum = (of: (reader: StreamResult['readers'][number]) => number): number =>
    readers.reduce((total, reader) => total + of(reader), 0);
  report.note('seed', seed);
  report.note('readers, of which with filters', `${readers.length}, ${sum(isFiltered)}`);
  report.note(
    'events written, messages read',
    `${ledger.committed}, ${sum(({ eventNumbers }) => eventNumbers.length)}`,
  );
  report.note(
    'streams, cut at a random byte, moved to the restarted node',
    `${sum(({ connections }) => connections)}, ${sum(({ breaks }) => breaks)}, ${times.moved}`,
  );
  const refusals = readers.flatMap((reader) => reader.refusals);
  const sample = refusals[0] === undefined ? '' : `, for example ${refusals[0]}`;
  report.bound('responses other than a stream', `${refusals.length}${sample}`, '0', refusals.length === 0);
  for (const [what, count] of Object.entries(verdict)) report.bound(what, String(count), '0', count === 0);
  report.bound(
    `node killed: ${times.resumeMs.length} readers resumed after`,
    describe(times.resumeMs),
    `≤ ${mostResumeMs} ms`,
    times.resumeMs.length > 0 && Math.max(...times.resumeMs) <= mostResumeMs,
  );
  report.bound(
    'commit to reader, before the kill',
    describe(times.calmMs),
    `p99 < ${mostP99Ms} ms`,
    quantile(times.calmMs, 0.99) < mostP99Ms,
  );
  report.note('commit to reader, after the kill', describe(times.troubledMs));
  report.print(`Live event stream, 2 nodes, ${times.seconds.toFixed(0)} s`);
}

function isFiltered({ filter }: StreamResult['readers'][number]): number {
  return filter.types !== null || filter.user !== null ? 1 : 0;
}

function describe(delays: readonly number[]): string {
  const of = (part: number): string => quantile(delays, part).toFixed(0);
  return `p50 ${of(0.5)}, p99 ${of(0.99)}, max ${of(1)} ms`;
}
