/**
 * Measures whether an account that backfills two years for 500 users delays new data of another account.
 *
 * Freshness is the time from when a record exists at the provider, which pushes it at the same moment, until the transaction commits that
 * makes it visible to the API (`canonical_workouts`, `sample_chunks`), as PostgreSQL notifies at the commit. For a provider without pushes,
 * it counts from when the record exists and the poll is due; the run makes the poll due. A record that is not seen within 20 s after its
 * window counts with its age at that point.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chooseFaults, limitRunTime, listFaults, median, progress, quantile, Report } from '@tributary/rig';
import { holdBackfill, resumeBackfill } from './sync-fairness/backfill.ts';
import { Watch } from './sync-fairness/freshness.ts';
import { plants } from './sync-fairness/plants.ts';
import { measureBaseline, measureBeside, type Window } from './sync-fairness/windows.ts';
import {
  choosePeople,
  connectPeople,
  countWorkouts,
  startWorld,
  untilSynced,
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

One account has users with a steady stream of new data, by push and by poll. Another account backfills two years for 500 users of three
providers, two of which the first account also uses: they share limits, processes and the machine. Measures how fresh the first account's
data is without and with the backfill, alternating.

  --short    fewer users and short windows, with a wider bound: enough to detect large regressions
  --rounds   number of rounds without and with the backfill
  --seconds  duration of each
  --plant    plant a fault in a copy of the service; the run passes if the change of p95 breaks its bound

${listFaults(plants)}`);
  process.exit(0);
}
const plant = chooseFaults(plants, { ...values, 'plant-all': false })?.[0];
const { short } = values;
const rounds = Number(values.rounds ?? (short ? 3 : 5));
const seconds = Number(values.seconds ?? (short ? 4 : 30));
const options = { pace: { oura: 2, whoop: 0.4, dexcom: 2 }, seconds, leadMs: short ? 2_000 : 7_000 };
/** With few records, p95 is one of the three slowest, and chance changes it by a third. */
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
await untilSynced(world, members);
await using watch = await Watch.start(world, members);
// Let both run for a while before measuring.
await resumeBackfill(world);
await Promise.all([watch.measure(options.pace, short ? 3 : 10), sleep(short ? 4_000 : 15_000)]);
const baseline: Window[] = [];
const beside: Window[] = [];
for (let round = 1; round <= rounds; round += 1) {
  baseline.push(await measureBaseline(world, watch, options));
  beside.push(await measureBeside(world, watch, options));
  progress(
    `round ${round} of ${rounds}: p95 ${p95Of(baseline.at(-1)!)} ms without, ${p95Of(beside.at(-1)!)} ms with backfill`,
  );
}
await holdBackfill(world);
const exceeded = await world.lab.request('exceeded', null);
const lacking: string[] = [];
for (const member of members.filter(({ provider }) => provider !== 'dexcom')) {
  const [releasedCount, listed] = [
    watch.released.get(member.userId) ?? 0,
    await countWorkouts(world, member),
  ];
  if (listed !== Math.min(100, releasedCount)) lacking.push(`${member.person} ${listed} of ${releasedCount}`);
}

const report = new Report();
noteFreshness('without backfill', baseline);
noteFreshness('with backfill', beside);
for (const provider of Object.keys(options.pace)) {
  const [one, other] = [baseline, beside].map((windows) => figuresOf(windows, provider));
  report.note(`${provider}: without, with backfill`, `${one}; ${other}`);
}
const cores = (windows: readonly Window[], who: 'service' | 'others') =>
  median(windows.map((window) => window.cores[who])).toFixed(2);
report.note(
  'cores used by the service: without, with backfill',
  `${cores(baseline, 'service')}, ${cores(beside, 'service')}`,
);
report.note(
  'cores used by others: without, with backfill',
  `${cores(baseline, 'others')}, ${cores(beside, 'others')}`,
);
noteBackfill();
const changes = baseline.map((window, at) => p95Of(beside[at]!) / p95Of(window) - 1);
report.bound(
  'change of p95, median of the rounds',
  `${percent(median(changes))} (${percent(Math.min(...changes))} to ${percent(Math.max(...changes))})`,
  `< ${percent(most)}${short ? ' (goal 20%)' : ''}`,
  median(changes) < most,
);
report.note('change of p95 over all rounds', percent(p95Of(...beside) / p95Of(...baseline) - 1));
report.note(
  'change of the median over all rounds',
  percent(median(timesOf(beside)) / median(timesOf(baseline)) - 1),
);
const unseen = [...baseline, ...beside]
  .flatMap(({ samples }) => samples)
  .filter(({ isSeen }) => !isSeen).length;
report.bound('records never seen', String(unseen), '0', unseen === 0);
report.bound('workouts missing in the API', lacking.join(', ') || 'none', 'none', lacking.length === 0);
report.bound('limits exceeded', exceeded.join(', ') || 'none', 'none', exceeded.length === 0);
report.print(
  `Freshness for ${members.length} users during a backfill of ${backfilled}: ${rounds} rounds of ${seconds} s${plant ? `, with ${plant.name}` : ''}`,
);
if (plant) {
  const isDetected = median(changes) >= most;
  console.log(`\nPlanted faults: ${isDetected ? 1 : 0} of 1 found`);
  process.exitCode = isDetected ? 0 : 1;
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
    `${figuresOf(windows)} of ${timesOf(windows).length}; p95 per round ${each}`,
  );
}

/** A measurement next to a backfill that stalled or had finished is invalid. */
function noteBackfill(): void {
  const took = beside.reduce((sum, window) => sum + window.seconds, 0);
  const done = (what: 'calls' | 'documents' | 'days' | 'batches') =>
    beside.reduce((sum, { before, after }) => sum + after[what] - before[what], 0) / took;
  const leakedCalls = baseline.reduce((sum, { calls }) => sum + calls, 0);
  report.note(
    'backfill: calls, documents, user-days per second',
    `${done('calls').toFixed(1)}, ${done('documents').toFixed(0)}, ${done('days').toFixed(1)}`,
  );
  const [first, last] = [beside[0]!.before, beside.at(-1)!.after];
  report.note(
    'backfill: days read, at the start and end',
    `${first.days.toFixed(0)}, ${last.days.toFixed(0)}`,
  );
  const stallMs = Math.max(...beside.map(({ longestStallMs }) => longestStallMs));
  const slowest = Math.min(...beside.map(({ calls, seconds: lasted }) => calls / lasted));
  report.bound(
    'backfill: calls per second in the slowest window',
    `${slowest.toFixed(1)}, longest stall ${(stallMs / 1000).toFixed(1)} s`,
    '≥ 1, < 10 s, otherwise invalid',
    slowest >= 1 && stallMs < 10_000,
  );
  report.bound(
    'backfill: users not finished',
    `${last.left} of ${backfilled}`,
    'all, otherwise invalid',
    last.left === backfilled,
  );
  report.bound(
    'backfill: calls while suspended',
    String(leakedCalls),
    '0, otherwise invalid',
    leakedCalls === 0,
  );
}

function percent(part: number): string {
  return `${part > 0 ? '+' : ''}${(part * 100).toFixed(0)}%`;
}
