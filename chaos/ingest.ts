/**
 * Nothing acknowledged is lost or counted twice. Users upload, correct, repeat and delete through two api processes while every part of the
 * service is killed or frozen at random moments. Then the stored data is compared with an independent model.
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
import { explainVerdict, reportHistory, reportVerdict } from './ingest/print-result.ts';
import { plants } from './ingest/plants.ts';
import { runChaos, type ChaosOptions } from './ingest/run.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    kills: { type: 'string' },
    values: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:ingest -- [--short] [--seed <text>] [--kills <number>] [--values <number>]
                               [--plant <name> | --plant-all]

Uploads to a private stack while its processes are killed, then compares all stored data with all acknowledged uploads.

  --short      20 kills instead of 200, and no minimum number of values
  --seed       reuse a seed to repeat the same uploads and schedule of kills
  --kills      minimum number of kills
  --values     minimum number of acknowledged values
  --plant      plant a fault in a copy of the service; the run passes if the proof detects it
  --plant-all  plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? newSeed();
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const options: ChaosOptions = {
  seed,
  kills: Number(values.kills ?? (chosen ? 12 : isShort ? 20 : 200)),
  values: Number(values.values ?? (isShort ? 0 : 1_000_000)),
  users: 60,
  restMs: 700,
  drainMs: 60_000,
};
limitRunTime(isShort ? 6 * (chosen?.length ?? 1) : 60);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign, shows }) => {
    const { verdict } = await runChaos({ ...options, patches });
    progress(verdict.explained.slice(0, 3).join('\n'));
    const inAll = `${verdict.pending} pending, ${verdict.differences.length} differences`;
    return { isDetected: shows(verdict), sign, inAll };
  });
else await prove();

async function prove(): Promise<void> {
  const { verdict, history, victims, freezes, ended, seconds } = await runChaos(options);
  const report = new Report();
  report.note('seed', seed);
  report.note('killed', [...victims.killed].map(([name, count]) => `${name} ${count}`).join(', '));
  report.bound('kills', String(victims.kills), `≥ ${options.kills}`, victims.kills >= options.kills);
  report.bound(
    'frozen processes that kept their partitions',
    `${freezes.stuck} of ${victims.freezes}; taken over after ${freezes.movedMs.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s`,
    '0',
    freezes.stuck === 0,
  );
  report.bound('processes that exited unexpectedly', ended.join(', ') || 'none', 'none', ended.length === 0);
  report.note('process starts that were retried', String(victims.failedStarts));
  reportHistory(report, history);
  report.bound(
    'values acknowledged',
    `${history.acknowledgedValues} in ${history.acknowledgedUploads} uploads`,
    `≥ ${options.values}`,
    history.acknowledgedValues >= options.values,
  );
  reportVerdict(report, verdict);
  explainVerdict(verdict);
  report.print(`Uploads under kills, ${seconds.toFixed(0)} s`);
}
