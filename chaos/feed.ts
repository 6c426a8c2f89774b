/**
 * The feed misses nothing: writers commit in another order than they began, some roll back, some hold the feed up, the process that sequences
 * is killed, and readers die; still every reader gets every event once, in one order. Readers that go by ids alone miss some.
 */
import { parseArgs } from 'node:util';
import { chooseFaults, findFaults, limitRunTime, listFaults, progress, Report } from '@tributary/rig';
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

Writes events in 64 transactions at a time, reads them over HTTP with readers that die, kills the process that sequences, holds a
transaction open, and compares what every reader got with what was committed. Naive readers beside them have to miss events.

  --short      50,000 events, one kill and 3 s instead of 1,000,000, two kills and 30 s
  --events     at least so many events
  --seed       the same seed plans the same transactions, pauses and deaths
  --plant      puts a fault into a copy of the service; the run succeeds if the comparison finds it
  --plant-all  all of them, one after the other

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? String(Math.floor(Math.random() * 1e6));
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
/** Machines of CI are shared: the short form shows there that nothing is stuck, and the full one how fast it is. */
const most = isShort
  ? { p99Ms: 1_500, takeOverMs: 6_000, goneMs: 6_000 }
  : { p99Ms: 100, takeOverMs: 2_000, goneMs: 3_000 };
limitRunTime(isShort ? 5 * (chosen?.length ?? 1) : 25);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign }) => {
    const { verdict } = await runFeed({ ...options, patches });
    const counts = Object.entries(verdict).map(([what, count]) => `${what} ${count}`);
    return { isFound: verdict[sign] > 0, sign, inAll: counts.join(', ') };
  });
else await prove();

async function prove(): Promise<void> {
  const result = await runFeed(options);
  const report = new Report();
  report.note('seed', seed);
  reportSameness(report, options, result);
  reportTimes(report, options, result, most);
  report.print(`Feed of events, ${options.writers} writers, ${result.seconds.toFixed(0)} s`);
}
