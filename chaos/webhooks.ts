/**
 * Webhooks are reliable. Endpoints hang and fail, workers are killed, and the broker is restarted. Every event still arrives, hardly any
 * twice, those of one user in order, and healthy endpoints get theirs as fast as if all endpoints were healthy.
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
import { plants } from './webhooks/plants.ts';
import { leniently, reportResult, strictly } from './webhooks/report-result.ts';
import { runWebhooks, type WebhooksOptions } from './webhooks/run.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:webhooks -- [--short] [--seed <text>] [--plant <name> | --plant-all]

Sends events to 50 endpoints over real HTTP: first as fast as possible, then alternately with and without hanging endpoints, then with 10
that hang and 5 that fail at random while workers are killed and the broker is restarted. Compares what arrived with what was sent.

  --short      3,000 events, 3 kills and 1 restart instead of 100,000, 30 and 3
  --seed       reuse a seed to repeat the same events and kills
  --plant      plant a fault in a copy of the service; the run passes if the proof detects it
  --plant-all  plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? newSeed();
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const options: WebhooksOptions = {
  seed,
  endpoints: 50,
  hanging: 10,
  failing: 5,
  events: isShort ? 3_000 : 100_000,
  perSecond: isShort ? 150 : 400,
  kills: isShort ? 3 : 30,
  restarts: isShort ? 1 : 3,
  burst: isShort ? 2_000 : 20_000,
  rounds: isShort ? 1 : 5,
  roundSeconds: isShort ? 4 : 10,
  mostDrainMs: chosen ? 10_000 : 240_000,
};
limitRunTime(isShort ? 6 * (chosen?.length ?? 1) : 30);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, sign, count }) => {
    const seen = count(await runWebhooks({ ...options, patches }));
    return { isDetected: seen > 0, sign, inAll: `${seen} times` };
  });
else await prove();

async function prove(): Promise<void> {
  const report = new Report();
  report.note('seed', seed);
  reportResult(report, options, await runWebhooks(options), isShort ? leniently : strictly);
  report.print('Webhooks under faults');
}
