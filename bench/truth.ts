/** How close canonical values come to what is true by construction, and which method for counted movement comes closest. */
import { dayEndMs, dayOf, dayStartMs, parseDay } from '@tributary/domain';
import { forEachOf, limitRunTime, progress, renderTable, Report, startRunStack } from '@tributary/rig';
import { chooseByRank, chooseLargest, countWorkouts } from './truth/earlier-rules.ts';
import { Errors } from './truth/errors.ts';
import { createLabPeople } from './truth/lab-people.ts';
import { createSandboxPeople } from './truth/sandbox-people.ts';
import { Service } from './truth/service.ts';
import { chosen, counted, measured, type Measured, type Subject } from './truth/subject.ts';

if (process.argv.includes('--help')) {
  console.log(
    `npm run bench:truth [-- --short]

Ingests simulated people whose true days are known: a sandbox user of each archetype for 30 days, and 40 people of the lab with all providers
for 14 days. Compares canonical values with the truth, next to the earlier rules (rank only), and the methods for counted movement.`,
  );
  process.exit(0);
}
const short = process.argv.includes('--short');
const methods = ['priority', 'max', 'merge'] as const;
const atOnce = 4;
limitRunTime(short ? 8 : 40);

await using run = await startRunStack(['api', 'ingest'], { LOG_LEVEL: 'warn' });
const service = await Service.open(run);
const report = new Report();
const sandboxDays = short ? 10 : 30;
const firstDay = dayOf(Date.parse('2026-09-01T12:00:00Z'), 'Europe/Berlin');
await measure('sandbox', await createSandboxPeople(service, firstDay, sandboxDays), true);
await measure('lab', await createLabPeople(service, short ? 2 : 40, short ? 5 : 14), true);
report.print('Canonical values against the truth');

/** Compares one set of people. */
async function measure(set: string, subjects: readonly Subject[], hasBounds: boolean): Promise<void> {
  progress(`${set}: ${subjects.length} people`);
  await service.drained();
  const now = new Map(measured.map((metric) => [metric, new Errors()]));
  const earlier = new Map(measured.map((metric) => [metric, new Errors()]));
  const byMethod = new Map(
    methods.map((method) => [method, new Map(counted.map((metric) => [metric, new Errors()]))]),
  );
  const exact = { now: 0, earlier: 0, days: 0 };
  await forEachOf(subjects, atOnce, async (subject) => {
    const metrics = measured.filter((metric) => subject.days[0]!.values[metric] !== undefined);
    const current = await service.readDays(subject, metrics);
    for (const metric of metrics) addAll(now.get(metric)!, metric, subject, current.get(metric)!);
    const amounts = counted.filter((metric) => metrics.includes(metric));
    for (const method of methods) {
      const values = await service.previewDays(subject, amounts, method, current);
      for (const metric of amounts)
        addAll(byMethod.get(method)!.get(metric)!, metric, subject, values.get(metric)!);
    }
    for (const metric of metrics) {
      const values: (number | null)[] = [];
      for (const { date } of subject.days) {
        const devices = await service.readDevices(subject, metric, date);
        values.push(metric === 'steps' ? chooseLargest(devices) : chooseByRank(devices));
      }
      addAll(earlier.get(metric)!, metric, subject, values);
    }
    const workouts = await service.countWorkouts(subject);
    subject.days.forEach(({ date, workouts: truth }, at) => {
      const day = parseDay(date)!;
      const [fromMs, toMs] = [dayStartMs(day, subject.timezone), dayEndMs(day, subject.timezone)];
      exact.days += 1;
      if (workouts[at] === truth) exact.now += 1;
      if (countWorkouts(subject.workouts, fromMs, toMs) === truth) exact.earlier += 1;
    });
  });
  print(set, now, earlier, byMethod);
  addBounds(set, now, exact, hasBounds);
}

function addAll(
  errors: Errors,
  metric: Measured,
  subject: Subject,
  values: readonly (number | null)[],
): void {
  const isAmount = counted.some((one) => one === metric) || metric === 'asleep';
  subject.days.forEach((day, at) => errors.add(day.values[metric]!, values[at] ?? null, isAmount));
}

/** The mean absolute error in the metric's unit, and relative to the mean truth. */
function shown({ mean, percent, missing }: Errors): string {
  return `${mean.toFixed(2)} (${percent.toFixed(2)} %)${missing > 0 ? `, ${missing} missing` : ''}`;
}

type ByMetric = ReadonlyMap<Measured, Errors>;

function print(set: string, now: ByMetric, earlier: ByMetric, byMethod: ReadonlyMap<string, ByMetric>): void {
  const present = (metric: Measured) => now.get(metric)!.days > 0;
  const rows = measured
    .filter(present)
    .map((metric) => [metric, shown(now.get(metric)!), shown(earlier.get(metric)!)]);
  console.log(
    `\n${set}: mean absolute error\n\n${renderTable(['metric', 'current rules', 'earlier rules'], rows)}`,
  );
  const methodRows = counted
    .filter(present)
    .map((metric) => [metric, ...methods.map((method) => shown(byMethod.get(method)!.get(metric)!))]);
  console.log(`\n${set}: methods\n\n${renderTable(['metric', ...methods], methodRows)}`);
}

function addBounds(
  set: string,
  errors: ByMetric,
  exact: { now: number; earlier: number; days: number },
  hasBounds: boolean,
): void {
  const percent = (metric: (typeof measured)[number]) => errors.get(metric)!.percent;
  for (const metric of ['steps', 'asleep'] as const)
    add(`${set}: ${metric}`, `${percent(metric).toFixed(2)} %`, '≤ 2 %', percent(metric) <= 2);
  for (const metric of chosen.filter((one) => one !== 'asleep')) {
    const { mean } = errors.get(metric)!;
    add(`${set}: ${metric}`, `${mean.toFixed(2)} bpm`, '≤ 1 bpm', mean <= 1);
  }
  const share = (100 * exact.now) / exact.days;
  const before = ((100 * exact.earlier) / exact.days).toFixed(1);
  add(
    `${set}: days with the exact number of workouts (earlier rules: ${before} %)`,
    `${share.toFixed(1)} %`,
    '≥ 99 %',
    share >= 99,
  );

  function add(what: string, figure: string, bound: string, isKept: boolean): void {
    if (hasBounds) report.bound(what, figure, bound, isKept);
    else report.note(`${what} (goal ${bound})`, figure);
  }
}
