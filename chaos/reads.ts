/**
 * The API returns exactly what follows from the devices' data. Users with random devices, settings and time zones are compared with a naive
 * model, value by value. Lists that change while a client pages through them miss and repeat nothing.
 */
import { parseArgs } from 'node:util';
import {
  chooseFaults,
  openService,
  findFaults,
  limitRunTime,
  listFaults,
  newSeed,
  progress,
  Random,
  type Patch,
  Report,
  startRunStack,
} from '@tributary/rig';
import type { Difference } from './reads/compare/differences.ts';
import { proveEquality, type EqualityVerdict } from './reads/equality.ts';
import { provePaging, type PagingVerdict } from './reads/paging.ts';
import { plants } from './reads/plants.ts';
import { World } from './reads/world.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    users: { type: 'string' },
    walks: { type: 'string' },
    seed: { type: 'string' },
    plant: { type: 'string' },
    'plant-all': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:reads -- [--short] [--users <number>] [--walks <number>] [--seed <text>]
                              [--plant <name> | --plant-all]

Compares all responses of a private stack about random users with a naive model of their devices' data, before and after changes of
settings, time zones and devices. Then reads lists page by page while they change.

  --short      60 users instead of 1000, and 20 walks through each list instead of 200
  --users      number of users
  --walks      number of walks through each list
  --seed       reuse a seed to repeat the same users, uploads and changes
  --plant      plant a fault in a copy of the service; the run passes if the proof detects it
  --plant-all  plant every fault, one after another

${listFaults(plants)}`);
  process.exit(0);
}

interface Proof {
  equality: EqualityVerdict;
  paging: PagingVerdict;
  seconds: number;
}

const mostShown = 12;
const seed = values.seed ?? newSeed();
const chosen = chooseFaults(plants, values);
const isShort = values.short || chosen !== null;
const users = Number(values.users ?? (isShort ? 60 : 1000));
const walks = Number(values.walks ?? (isShort ? 20 : 200));
limitRunTime(chosen ? 5 * chosen.length : isShort ? 12 : 45);
progress(`seed ${seed}`);
if (chosen)
  await findFaults(chosen, seed, async ({ patches, inPages }) => {
    const { equality, paging } = await run(inPages ? 0 : users, inPages ? walks : 0, patches);
    const { missed, repeated } = paging.byCursor;
    const { differences } = equality;
    explain(differences.slice(0, 1));
    return inPages
      ? { isDetected: missed + repeated > 0, sign: 'paging', inAll: `${missed} missed, ${repeated} repeated` }
      : {
          isDetected: differences.length > 0,
          sign: 'differences',
          inAll: `${differences.length} in ${new Set(differences.map(({ user }) => user)).size} users`,
        };
  });
else await prove();

async function prove(): Promise<void> {
  const { equality, paging, seconds } = await run(users, walks);
  const report = new Report();
  report.note('seed', seed);
  report.note('users', `${users}, ${equality.uploads} uploads`);
  report.note('changes', [...equality.changes].map(([what, count]) => `${count} ${what}`).join(', '));
  const { all, contested, ofSeveral } = equality.values;
  report.note(
    'daily values',
    `${all}; ${contested} reported by several devices, ${ofSeveral} combined from several`,
  );
  for (const [read, compared] of equality.compared) {
    const wrong = equality.differences.filter((one) => one.read === read).length;
    report.bound(read, `${wrong} of ${compared} differ`, 'none', wrong === 0);
  }
  report.note(
    'lists read while they changed',
    `${paging.walks} walks, ${paging.pages} pages, ${paging.changesBetweenPages} changes landed between two pages`,
  );
  const { byCursor, byOffset } = paging;
  report.bound(
    'sessions present during the whole walk, by cursor',
    `${byCursor.missed} missed, ${byCursor.repeated} repeated`,
    'none',
    byCursor.missed + byCursor.repeated === 0,
  );
  report.bound(
    'the same by offset, which must fail',
    `${byOffset.missed} missed, ${byOffset.repeated} repeated`,
    'both',
    byOffset.missed > 0 && byOffset.repeated > 0,
  );
  explain(equality.differences);
  for (const example of paging.examples.slice(0, mostShown)) console.log(example);
  report.print(`Reads against a naive model, ${seconds.toFixed(0)} s`);
}

/** Runs both proofs on one stack, in a copy of the service that is not edited during the run. */
async function run(userCount: number, walkCount: number, patches: readonly Patch[] = []): Promise<Proof> {
  const startedAt = performance.now();
  const random = new Random(seed);
  await using service = await openService(patches);
  await using stack = await startRunStack(
    ['api', 'ingest', 'jobs'],
    { LOG_LEVEL: 'warn' },
    { program: service.program },
  );
  const world = new World(stack);
  const equality = await proveEquality(world, userCount, random.fork('equality'));
  progress(`${walkCount} walks through each list`);
  const paging = await provePaging(world, walkCount, random.fork('paging'));
  return { equality, paging, seconds: (performance.now() - startedAt) / 1000 };
}

function explain(differences: readonly Difference[]): void {
  if (differences.length > 0) console.log(`\nThe first of ${differences.length} differences:`);
  for (const { read, user, at, expected, actual } of differences.slice(0, mostShown))
    console.log(`\n${read}, ${user}, ${at}\n  expected ${expected}\n  found    ${actual}`);
}
