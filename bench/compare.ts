/** Whether this checkout serves requests faster or slower than another commit: both run side by side and are measured alternately. */
import { parseArgs } from 'node:util';
import { limitRunTime, progress, renderTable } from '@tributary/rig';
import { checkOut, ownRoot, serverIn } from './compare/checkout.ts';
import { machineShares, readMachineTime } from './compare/machine.ts';
import { measureRounds, warmUp, type Figure, type Round, type Targets } from './compare/measure.ts';
import { comparisons, type Comparison } from './compare/requests.ts';
import { poolSize, startSide } from './compare/side.ts';
import { estimateMedian, formatEstimate, medianOf, verdictOf } from './compare/statistics.ts';
import { startBare } from './reads/served.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    new: { type: 'string' },
    only: { type: 'string' },
    blocks: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    short: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const names = Object.keys(comparisons);
const usage = `npm run bench:compare -- <commit> [--new <commit>] [--only ${names.join('|')}] [--blocks N] [--rounds N] [--seconds N] [--short]

Compares this checkout (or --new) with <commit>. --only takes a comma-separated list of names.`;
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const [oldCommit, ...more] = positionals;
const only = values.only?.split(',') ?? names;
const blocks = Number(values.blocks ?? (values.short ? 1 : 6));
const rounds = Number(values.rounds ?? (values.short ? 2 : 4));
const seconds = Number(values.seconds ?? 1);
const warmUpRequests = values.short ? 500 : 5000;
const isUsable = only.every((name) => names.includes(name)) && blocks >= 1 && rounds >= 1 && seconds > 0;
if (oldCommit === undefined || more.length > 0 || !isUsable) {
  console.error(usage);
  process.exit(2);
}
limitRunTime(90);

await using oldCheckout = await checkOut(oldCommit);
await using newCheckout = values.new === undefined ? null : await checkOut(values.new);
const newName = newCheckout?.name ?? 'this checkout';
await using oldSide = await startSide(oldCheckout.name, oldCheckout.program);
await using newSide = await startSide(newName, newCheckout?.program ?? serverIn(ownRoot));

const measured = new Map<string, Round[][]>(only.map((name) => [name, []]));
const prepared = new Map<string, Targets>();
await using resources = new AsyncDisposableStack();
for (const name of only) prepared.set(name, await prepare(comparisons[name]!));

const startedAt = readMachineTime();
for (let block = 1; block <= blocks; block += 1) {
  // Alternate the side that starts first.
  const sides = block % 2 === 0 ? [oldSide, newSide] : [newSide, oldSide];
  if (block > 1) for (const side of sides) await side.restart();
  for (const [name, targets] of prepared) {
    progress(`block ${block} of ${blocks}: ${comparisons[name]!.title}`);
    for (const target of [targets.old, targets.new, targets.bare]) await warmUp(target, warmUpRequests);
    measured.get(name)!.push(await measureRounds(targets, { rounds, seconds }));
  }
}
const { steal, idle } = machineShares(startedAt, readMachineTime());

console.log(
  `\nNew (${newSide.name}) compared with old (${oldSide.name}): ${blocks} blocks with new processes, each with ${rounds} rounds of old, new, bare, new, old, ${seconds} s each.\n`,
);
console.log(
  renderTable(
    ['request', 'measured', 'old', 'new', 'bare', 'new/bare', 'new/old (95% interval)', 'verdict'],
    [...measured].flatMap(([name, all]) => describe(comparisons[name]!, all)),
  ),
);
console.log(
  `\nRatios are medians of rounds. Other guests took ${percent(steal)} of the machine's time (steal), and ${percent(idle)} was idle.`,
);
const speeds = [...measured.values()].flat(2).flatMap((round) => round.speeds);
console.log(
  `A step of a fixed loop took ${medianOf(speeds).toFixed(1)} ns of CPU time, from ${Math.min(...speeds).toFixed(1)} to ${Math.max(...speeds).toFixed(1)}. On an idle machine it is constant.`,
);

async function prepare(comparison: Comparison): Promise<Targets> {
  const { status, bareProgram, requestsOf, bareRequestsOf } = comparison;
  const bare = resources.use(await startBare(newSide.databaseUrl, poolSize, bareProgram));
  return {
    old: { server: oldSide, requests: await requestsOf(oldSide), status },
    new: { server: newSide, requests: await requestsOf(newSide), status },
    bare: { server: bare, requests: bareRequestsOf(newSide), status: 200 },
  };
}

/** One row for the rate and one for the processor time. */
function describe({ title }: Comparison, all: readonly (readonly Round[])[]): string[][] {
  const row = (
    label: string,
    better: 'higher' | 'lower',
    pick: (figure: Figure) => number,
    unit: string,
  ): string[] => {
    const ratioTo = (part: 'old' | 'bare') =>
      estimateMedian(all.map((block) => block.map((round) => pick(round.new) / pick(round[part]))));
    const estimate = ratioTo('old');
    const shown = (['old', 'new', 'bare'] as const).map(
      (part) => `${medianOf(all.flat().map((round) => pick(round[part]))).toFixed(0)}${unit}`,
    );
    return [
      title,
      label,
      ...shown,
      formatEstimate(ratioTo('bare')),
      formatEstimate(estimate, 3),
      verdictOf(estimate, better),
    ];
  };
  return [
    row('requests/s', 'higher', ({ perSecond }) => perSecond, ''),
    row('CPU time', 'lower', ({ microsPerRequest }) => microsPerRequest, ' µs'),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}
