/**
 * The feed misses nothing. Writers commit in a different order than they began, some roll back, some block the feed, the sequencing process
 * is killed, and readers die. Every reader still gets each event once, in one order. Readers that rely only on ids miss some.
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
import { plants } from './feed/plants.ts';
import { reportSameness, reportTimes } from './feed/report-result.ts';
import { runFeed, type FeedOptions } from './feed/run.ts';

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
  console.log(`Usage: npm run chaos:feed -- [--short] [--events <number>] [--seed <text>] [--plant <name> | --plant-all]

Writes events in 64 concurrent transactions, reads them over HTTP with readers that crash, kills the sequencer, holds a transaction
open, and compares what every reader received with what was committed. Naive readers that run alongside must miss events.

  --short      50,000 events, one kill and 3 s instead of 1,000,000, two kills and 30 s
  --events     minimum number of events
  --seed       reuse a seed to repeat the same transactions, pauses and crashes
  --plant      plant a fault in a copy of the service; the run passes if the proof detects it
  --plant-all  plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? newSeed();
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const options: FeedOptions = {
  seed,
  events: Number(values.events ?? (chosen ? 20_000 : isShort ? 50_000 : 1_000_000)),
  perSecond: isShort ? 2_500 : 3_000,
  writers: 64,
  longTransactions: isShort ? 6 : 30,
  kills: isShort ? 1 : 2,
  holdMs: isShort ? 3_000 : 30_000,
  warmUpMs: isShort ? 4_000 : 15_000,
  afterTroubleMs: isShort ? 1_000 : 5_000,
};
/** CI machines are shared. There, the short run only shows that nothing is stuck; the full run measures latency. */
const most = isShort
  ? { p99Ms: 1_500, takeOverMs: 6_000, recoveryMs: 6_000 }
  : { p99Ms: 100, takeOverMs: 2_000, recoveryMs: 3_000 };
limitRunTime(isShort ? 5 * (chosen?.length ?? 1) : 25);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign }) => {
    const { verdict } = await runFeed({ ...options, patches });
    const counts = Object.entries(verdict).map(([what, count]) => `${what} ${count}`);
    return { isDetected: verdict[sign] > 0, sign, inAll: counts.join(', ') };
  });
else await prove();

async function prove(): Promise<void> {
  const result = await runFeed(options);
  const report = new Report();
  report.note('seed', seed);
  reportSameness(report, options, result);
  reportTimes(report, options, result, most);
  report.print(`Event feed, ${options.writers} writers, ${result.seconds.toFixed(0)} s`);
}
