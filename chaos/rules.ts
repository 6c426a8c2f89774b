/**
 * The service chooses between devices as the documentation says. The uploads of generated people are compared, value by value and through the
 * public API, with a short reference that was written from the documentation only and knows nothing of the service.
 */
import { parseArgs } from 'node:util';
import {
  chooseFaults,
  findFaults,
  limitRunTime,
  listFaults,
  newSeed,
  openService,
  type Patch,
  progress,
  Random,
  Report,
  startRunStack,
} from '@tributary/rig';
import type { Difference } from './rules/compare.ts';
import { plants } from './rules/plants.ts';
import { rules } from './rules/reference/choose.ts';
import { prove, type Verdict } from './rules/run.ts';
import { World } from './rules/world.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    users: { type: 'string' },
    seed: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:rules -- [--short] [--users <number>] [--seed <text>] [--plant <name> | --plant-all]

Uploads weeks of data of generated people with two to five devices and compares every canonical value and its source with an independent
reference of the consolidation rules. Then adds a device to each of them that was never worn, which must not change any value.

  --short      10 users instead of 250
  --users      number of users
  --seed       reuse a seed to repeat the same people and uploads
  --plant      plant a fault in a copy of the service; the run passes if the proof detects it
  --plant-all  plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

const mostShown = 12;
const seed = values.seed ?? newSeed();
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const users = Number(values.users ?? (isShort ? 10 : 250));
limitRunTime(chosen ? 5 * chosen.length : isShort ? 8 : 45);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches }) => {
    const { differences, drawer } = await run(patches);
    explain('differences', differences.slice(0, 1));
    return {
      isDetected: differences.length > 0,
      sign: 'differences',
      inAll: `${differences.length} from the reference, ${drawer.changed.length} by a device that was not worn`,
    };
  });
else await report();

async function report(): Promise<void> {
  const startedAt = performance.now();
  const { differences, counts, rules: decided, drawer, twins } = await run();
  const table = new Report();
  table.note('seed', seed);
  table.note('people', `${users}, ${counts.deviceDays} device days, ${counts.uploads} uploads`);
  table.note('values reported by several devices', `${counts.contested}`);
  table.bound(
    'different from the reference',
    `${differences.length} of ${counts.values} values and ${counts.sessions} sessions`,
    'none',
    differences.length === 0,
  );
  for (const rule of rules) {
    const count = decided.get(rule) ?? 0;
    table.bound(`decided by: ${rule}`, `${count} values`, 'some', count > 0);
  }
  table.bound(
    'changed by a device that was not worn',
    `${drawer.changed.length} in ${drawer.users} users; ${drawer.added} zeros added`,
    'none',
    drawer.changed.length === 0,
  );
  table.bound(
    'changed by another order of uploads',
    `${twins.differences.length} in ${twins.users} users`,
    'none',
    twins.differences.length === 0,
  );
  explain('differences from the reference', differences);
  explain('values changed by a device that was not worn', drawer.changed);
  explain('differences between orders of uploads', twins.differences);
  table.print(
    `Consolidation rules against a reference, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
}

async function run(patches: readonly Patch[] = []): Promise<Verdict> {
  await using service = await openService(patches);
  await using stack = await startRunStack(
    ['api', 'ingest', 'jobs'],
    { LOG_LEVEL: 'warn' },
    { program: service.program },
  );
  return await prove(new World(stack), users, new Random(seed));
}

function explain(what: string, differences: readonly Difference[]): void {
  if (differences.length > 0) console.log(`\nThe first of ${differences.length} ${what}:`);
  for (const { user, at, expected, actual } of differences.slice(0, mostShown))
    console.log(`\n${user}, ${at}\n  expected ${expected}\n  found    ${actual}`);
}
