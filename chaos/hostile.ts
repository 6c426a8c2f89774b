/**
 * A hostile client or a silent host does not affect other tenants. Each scenario attacks a running service while bystanders of other
 * accounts read, upload and check its health.
 */
import { parseArgs } from 'node:util';
import {
  chooseFaults,
  findFaults,
  limitRunTime,
  listFaults,
  newSeed,
  openService,
  progress,
  Random,
  Report,
} from '@tributary/rig';
import { plants } from './hostile/plants.ts';
import { scenarios, type Scenario } from './hostile/scenarios.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seed: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:hostile -- [--short] [--only <scenario>] [--seed <text>] [--plant <name> | --plant-all]

Attacks a running service while users of other accounts read and upload, and compares their requests with those of a calm service.

  --short      fewer attackers for a shorter time
  --only       run only the scenarios whose name contains the text
  --seed       reuse a seed to repeat the same attacks
  --plant      remove a guard in a copy of the service; the run passes if the proof detects it
  --plant-all  remove every guard, one after another

Scenarios:
${scenarios.map(({ name, title }) => `  ${name.padEnd(16)}  ${title}`).join('\n')}

${listFaults(plants)}`);
  process.exit(0);
}

const seed = values.seed ?? newSeed();
const chosenPlants = chooseFaults(plants, values);
const isShort = values.short || chosenPlants !== null;
const chosen = scenarios.filter(({ name }) => name.includes(values.only));
limitRunTime((chosenPlants?.length ?? chosen.length) * (isShort ? 5 : 30));
progress(`seed ${seed}`);
if (chosenPlants)
  await findFaults(chosenPlants, seed, async ({ scenario, patches }) => {
    await using service = await openService(patches);
    const report = new Report();
    await run(scenario, service.program, report);
    return {
      isDetected: report.broken.length > 0,
      sign: report.broken[0] ?? 'a bound',
      inAll: `${report.broken.length} bounds broken`,
    };
  });
else
  for (const scenario of chosen) {
    await using service = await openService();
    const report = new Report();
    await run(scenario, service.program, report);
    report.print(scenario.title);
  }

async function run(scenario: Scenario, program: string, report: Report): Promise<void> {
  progress(scenario.title);
  await scenario.run({ program, isShort, random: new Random(seed).fork(scenario.name), report });
}
