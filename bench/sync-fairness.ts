/**
 * Whether an account that backfills two years for 500 people makes another account's news come later.
 *
 * Freshness is the time from when a record is at the provider, which pushes it at the same moment, until the transaction commits that puts it
 * into what the API answers from (`canonical_workouts`, `sample_chunks`), as PostgreSQL tells at the commit. Where the provider pushes nothing,
 * it counts from when the record is there and the poll is due, which the run brings about by making the poll due. A record that is not seen
 * within 20 s after its window counts as late as it is then.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chooseFaults, limitRunTime, listFaults, median, progress, quantile, Report } from '@tributary/rig';
import { holdBackfill, resumeBackfill } from './sync-fairness/backfill.ts';
import { Watch } from './sync-fairness/freshness.ts';
import { plants } from './sync-fairness/plants.ts';
import { measureAlone, measureBeside, type Window } from './sync-fairness/windows.ts';
import {
  choosePeople,
  connectPeople,
  countWorkouts,
  startWorld,
  untilLooked,
} from './sync-fairness/world.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    plant: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run bench:sync-fairness [-- --short] [--rounds <number>] [--seconds <number>] [--plant <name>]

An account has people with a steady stream of news, by push and by poll. Another one reads two years for 500 people, of three providers, of
which two are also the first one's: they share limits, processes and the machine. Measures how fresh the first one's answers are alone and
beside that, by turns.

  --short    fewer people and short windows, with a wider bound: enough to see that nothing got out of hand
  --rounds   so many turns of alone and beside
  --seconds  for so long each
  --plant    plants a fault in a copy of the service; the run succeeds if the change of p95 breaks its bound

${listFaults(plants)}`);
  process.exit(0);
}
const plant = chooseFaults(plants, { ...values, 'plant-all': false })?.[0];
const { short } = values;
const rounds = Number(values.rounds ?? (short ? 3 : 5));
const seconds = Number(values.seconds ?? (short ? 4 : 30));
const options = { pace: { oura: 2, whoop: 0.4, dexcom: 2 }, seconds, leadMs: short ? 2_000 : 7_000 };
/** With few records the 95th percentile is one of the last three: chance alone moves it by a third. */
const most = short ? 1 : 0.2;
const backfilled = short ? 90 : 500;
const lives = short ? 3 : 8;
limitRunTime(short ? 6 : 30);

await using world = await startWorld(plant?.patches ?? []);
progress('connecting');
const members = await connectPeople(
  world,
  world.live,
  [...choosePeople('oura', 0, 16), ...choosePeople('whoop', 100, 5), ...choosePeople('dexcom', 200, 16)],
  0,
);
const share = (part: number) => Math.round(backfilled * part);
await connectPeople(
  world,
  world.backfilling,
  [
    ...choosePeople('oura', 10_000, share(0.4), lives),
    ...choosePeople('google_health', 20_000, share(0.4), lives),
    ...choosePeople('whoop', 30_000, share(0.2), lives),
  ],
  730,
);
await untilLooked(world, members);
await using watch = await Watch.start(world, members);
// Both go on for a while before anything counts.
await resumeBackfill(world);
await Promise.all([watch.measure(options.pace, short ? 3 : 10), sleep(short ? 4_000 : 15_000)]);
const alone: Window[] = [];
const beside: Window[] = [];
for (let round = 1; round <= rounds; round += 1) {
  alone.push(await measureAlone(world, watch, options));
  beside.push(await measureBeside(world, watch, options));
  progress(
    `round ${round} of ${rounds}: p95 ${p95Of(alone.at(-1)!)} ms alone, ${p95Of(beside.at(-1)!)} beside`,
  );
}
await holdBackfill(world);
const exceeded = await world.lab.ask('exceeded', null);
const lacking: string[] = [];
for (const member of members.filter(({ provider }) => provider !== 'dexcom')) {
  const [told, listed] = [watch.released.get(member.userId) ?? 0, await countWorkouts(world, member)];
  if (listed !== Math.min(100, told)) lacking.push(`${member.person} ${listed} of ${told}`);
}

const report = new Report();
noteFreshness('alone', alone);
noteFreshness('beside the backfill', beside);
for (const provider of Object.keys(options.pace)) {
  const [one, other] = [alone, beside].map((windows) => figuresOf(windows, provider));
  report.note(`of ${provider}: alone, beside`, `${one}; ${other}`);
}
const cores = (windows: readonly Window[], who: 'service' | 'others') =>
  median(windows.map((window) => window.cores[who])).toFixed(2);
report.note('cores of the service: alone, beside', `${cores(alone, 'service')}, ${cores(beside, 'service')}`);
report.note('cores of strangers: alone, beside', `${cores(alone, 'others')}, ${cores(beside, 'others')}`);
noteBackfill();
const changes = alone.map((window, at) => p95Of(beside[at]!) / p95Of(window) - 1);
report.bound(
  'change of p95: median of the rounds',
  `${percent(median(changes))} (${percent(Math.min(...changes))} to ${percent(Math.max(...changes))})`,
  `< ${percent(most)}${short ? ' (goal 20 %)' : ''}`,
  median(changes) < most,
);
report.note('change of p95 over all rounds', percent(p95Of(...beside) / p95Of(...alone) - 1));
report.note(
  'change of the median over all rounds',
  percent(median(timesOf(beside)) / median(timesOf(alone)) - 1),
);
const unseen = [...alone, ...beside].flatMap(({ samples }) => samples).filter(({ isSeen }) => !isSeen).length;
report.bound('records that were never seen', String(unseen), '0', unseen === 0);
report.bound(
  'workouts that the API does not list',
  lacking.join(', ') || 'none',
  'none',
  lacking.length === 0,
);
report.bound('limits exceeded', exceeded.join(', ') || 'none', 'none', exceeded.length === 0);
report.print(
  `Freshness of ${members.length} people beside a backfill of ${backfilled}: ${rounds} rounds of ${seconds} s${plant ? `, with ${plant.name}` : ''}`,
);
if (plant) {
  const isFound = median(changes) >= most;
  console.log(`\nPlanted faults: ${isFound ? 1 : 0} of 1 found`);
  process.exitCode = isFound ? 0 : 1;
}

function timesOf(windows: readonly Window[], provider: string | null = null): number[] {
  return windows
    .flatMap(({ samples }) => samples)
    .filter((sample) => provider === null || sample.provider === provider)
    .map(({ ms }) => ms);
}

function p95Of(...windows: readonly Window[]): number {
  return quantile(timesOf(windows), 0.95);
}

function figuresOf(windows: readonly Window[], provider: string | null = null): string {
  const times = timesOf(windows, provider);
  return `p50 ${median(times)}, p95 ${quantile(times, 0.95)} ms`;
}

function noteFreshness(what: string, windows: readonly Window[]): void {
  const each = windows.map((window) => p95Of(window)).join(', ');
  report.note(
    `freshness ${what}`,
    `${figuresOf(windows)} of ${timesOf(windows).length}; p95 of each ${each}`,
  );
}

/** Beside a backfill that stood still or was over, nothing was measured. */
function noteBackfill(): void {
  const took = beside.reduce((sum, window) => sum + window.seconds, 0);
  const done = (what: 'calls' | 'documents' | 'days' | 'batches') =>
    beside.reduce((sum, { before, after }) => sum + after[what] - before[what], 0) / took;
  const leakedCalls = alone.reduce((sum, { calls }) => sum + calls, 0);
  report.note(
    'backfill: calls, documents, days of people a second',
    `${done('calls').toFixed(1)}, ${done('documents').toFixed(0)}, ${done('days').toFixed(1)}`,
  );
  const [first, last] = [beside[0]!.before, beside.at(-1)!.after];
  report.note(
    'backfill: days read, at first and at last',
    `${first.days.toFixed(0)}, ${last.days.toFixed(0)}`,
  );
  const stallMs = Math.max(...beside.map(({ longestStallMs }) => longestStallMs));
  const slowest = Math.min(...beside.map(({ calls, seconds: lasted }) => calls / lasted));
  report.bound(
    'backfill: calls a second in the slowest window',
    `${slowest.toFixed(1)}, none for ${(stallMs / 1000).toFixed(1)} s at most`,
    '≥ 1, < 10 s, or void',
    slowest >= 1 && stallMs < 10_000,
  );
  report.bound(
    'backfill: people who are not done',
    `${last.left} of ${backfilled}`,
    'all, or void',
    last.left === backfilled,
  );
  report.bound('backfill: calls while it was held', String(leakedCalls), '0, or void', leakedCalls === 0);
}

function percent(part: number): string {
  return `${part > 0 ? '+' : ''}${(part * 100).toFixed(0)} %`;
}
