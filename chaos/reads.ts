/**
 * What the API answers is what follows from what devices said: people with random devices, settings and timezones are compared with a naive
 * model, value by value; and lists that are read page by page while they change miss and repeat nothing.
 */
import { parseArgs } from 'node:util';
import { limitRunTime, progress, renderTable, Report } from '../bench/report.ts';
import { startRunStack } from '../bench/service.ts';
import { copyService, type Replacement } from './ingest/copy-service.ts';
import { Random } from './ingest/random.ts';
import type { Difference } from './reads/compare/differences.ts';
import { proveEquality, type EqualityVerdict } from './reads/equality.ts';
import { provePaging, type PagingVerdict } from './reads/paging.ts';
import { plants, type Plant } from './reads/plants.ts';
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

Compares everything that a private stack answers about random users with a naive model of what their devices said, before and after
settings, timezones and devices changed; then reads lists page by page while they change.

  --short      60 users instead of 1000, and 20 walks through each list instead of 200
  --users      so many users
  --walks      so many walks through each list
  --seed       the same seed makes the same users, uploads and changes
  --plant      puts a fault into a copy of the service; the run succeeds if the fault is found
  --plant-all  all of them, one after the other

Faults:
${plants.map(({ name, title }) => `  ${name.padEnd(13)}  ${title}`).join('\n')}`);
  process.exit(0);
}

interface Proof {
  equality: EqualityVerdict;
  paging: PagingVerdict;
  seconds: number;
}

const mostShown = 12;
const seed = values.seed ?? String(Math.floor(Math.random() * 1e6));
const chosen = values['plant-all'] ? plants : values.plant === undefined ? null : [plantNamed(values.plant)];
const isShort = values.short || chosen !== null;
const users = Number(values.users ?? (isShort ? 60 : 1000));
const walks = Number(values.walks ?? (isShort ? 20 : 200));
limitRunTime(chosen ? 5 * chosen.length : isShort ? 8 : 45);
progress(`seed ${seed}`);
if (chosen) await findPlants(chosen);
else await prove();

async function prove(): Promise<void> {
  const { equality, paging, seconds } = await run(users, walks);
  const report = new Report();
  report.note('seed', seed);
  report.note('users', `${users}, ${equality.uploads} uploads`);
  report.note('changes', [...equality.changes].map(([what, count]) => `${count} ${what}`).join(', '));
  const { all, contested, ofSeveral } = equality.values;
  report.note('daily values', `${all}; ${contested} that several devices told, ${ofSeveral} made of several`);
  for (const [read, compared] of equality.compared) {
    const wrong = equality.differences.filter((one) => one.read === read).length;
    report.bound(read, `${wrong} different of ${compared}`, 'none', wrong === 0);
  }
  report.note(
    'lists read while they changed',
    `${paging.walks} walks, ${paging.pages} pages, ${paging.changesBetweenPages} changes landed between two pages`,
  );
  const { byCursor, byOffset } = paging;
  report.bound(
    'sessions that were there all the time, by cursor',
    `${byCursor.missed} missed, ${byCursor.repeated} repeated`,
    'none',
    byCursor.missed + byCursor.repeated === 0,
  );
  report.bound(
    'the same by offset, which has to fail',
    `${byOffset.missed} missed, ${byOffset.repeated} repeated`,
    'both',
    byOffset.missed > 0 && byOffset.repeated > 0,
  );
  explain(equality.differences);
  for (const example of paging.examples.slice(0, mostShown)) console.log(example);
  report.print(`Reads against a naive model, ${seconds.toFixed(0)} s`);
}

/** A comparison that cannot see these faults would prove nothing by seeing none. */
async function findPlants(all: readonly Plant[]): Promise<void> {
  const rows: string[][] = [];
  for (const { name, title, replacements, inPages } of all) {
    progress(`planted: ${title}`);
    const { equality, paging, seconds } = await run(inPages ? 0 : users, inPages ? walks : 0, replacements);
    const { missed, repeated } = paging.byCursor;
    const found = inPages ? missed + repeated > 0 : equality.differences.length > 0;
    if (!found) process.exitCode = 1;
    explain(equality.differences.slice(0, 1));
    const signs = inPages
      ? `${missed} missed, ${repeated} repeated`
      : `${equality.differences.length} differences in ${new Set(equality.differences.map(({ user }) => user)).size} users`;
    rows.push([name, found ? 'found' : 'NOT FOUND', signs, `${seconds.toFixed(0)} s`]);
    progress(`${name}: ${found ? 'found' : 'NOT FOUND'}, ${signs}`);
  }
  console.log(`\nPlanted faults, seed ${seed}\n\n${renderTable(['fault', '', 'signs', ''], rows)}`);
}

/** Both proofs on a stack of their own, in a copy of the service that nobody edits meanwhile. */
async function run(
  userCount: number,
  walkCount: number,
  replacements: readonly Replacement[] = [],
): Promise<Proof> {
  const startedAt = performance.now();
  const random = new Random(seed);
  await using copy = await copyService(replacements);
  await using stack = await startRunStack(
    ['api', 'ingest', 'jobs'],
    { LOG_LEVEL: 'warn' },
    { program: copy.program },
  );
  const world = new World(stack);
  const equality = await proveEquality(world, userCount, random.fork('equality'));
  progress(`${walkCount} walks through each list`);
  const paging = await provePaging(world, walkCount, random.fork('paging'));
  return { equality, paging, seconds: (performance.now() - startedAt) / 1000 };
}

function explain(differences: readonly Difference[]): void {
  if (differences.length > 0) console.log(`\nThe first of ${differences.length} differences:`);
  for (const { read, user, at, expected, found } of differences.slice(0, mostShown))
    console.log(`\n${read}, ${user}, ${at}\n  expected ${expected}\n  found    ${found}`);
}

function plantNamed(name: string): Plant {
  const found = plants.find((plant) => plant.name === name);
  if (found) return found;
  console.error(`No such fault: ${name}. There are ${plants.map((plant) => plant.name).join(', ')}.`);
  process.exit(1);
}
