/**
 * Everything that must pass before a change lands: checks, tests on private engines, and a short form of every proof and benchmark.
 * `.ci/run` installs what is missing and runs this.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { renderTable } from '@tributary/rig';
import { awaitCalm } from './ci/calm.ts';
import { runStep, type Result } from './ci/run-step.ts';
import { stages, type Step } from './ci/steps.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  console.log(`npm run ci [-- --only <text>]

  --only  run only the steps whose title contains the text`);
  process.exit(0);
}

/** Number of lines shown for a passing step. All lines are in its log. */
const shownLines = 30;
const cores = Math.max(2, availableParallelism());
const dir = await mkdtemp(join(tmpdir(), 'tributary-ci-'));
// All stacks start from one migrated database.
process.env['STACK_TEMPLATE'] = join(dir, 'template');
const logs = join(dir, 'logs');
await mkdir(logs);

/** When `.ci/run` started, including installation. */
const startedMs = Number(process.env['CI_STARTED_MS'] ?? Date.now());
/** On a machine that is much slower than usual, proofs that would start later are listed at the end instead of run. */
const latestStartMs = startedMs + 70 * 60_000;
const late: string[] = [];
const results: Result[] = [];
for (const stage of stages) await runStage(stage.filter(({ title }) => title.includes(values.only ?? '')));
await rm(dir, { recursive: true, force: true });
report();

/** Starts steps in order while there are enough free cores. */
async function runStage(steps: readonly Step[]): Promise<void> {
  const waiting = [...steps];
  const running = new Map<Step, Promise<void>>();
  const again: Step[] = [];
  while (waiting.length > 0 || running.size > 0) {
    const busy = [...running.keys()].reduce((sum, step) => sum + step.cores, 0);
    const next = waiting.findIndex((step) => busy + step.cores <= cores);
    if (next < 0) {
      await Promise.race(running.values());
      continue;
    }
    const [step] = waiting.splice(next, 1) as [Step];
    if (step.kind === 'proof' && Date.now() > latestStartMs) {
      late.push(step.title);
      continue;
    }
    const done = runStep(step, logs).then(async (result) => {
      running.delete(step);
      if (step.kind === 'proof' && result.failures.length > 0) {
        await print(result, 'retrying');
        again.push(step);
      } else await finish(result);
    });
    running.set(step, done);
  }
  // The machine may be shared, so a proof with a broken bound runs once more with nothing beside it.
  for (const step of again) {
    await awaitCalm();
    await finish(await runStep(step, logs, 2));
  }
}

async function finish(result: Result): Promise<void> {
  results.push(result);
  await print(result, result.failures.length === 0 ? 'passed' : 'FAILED');
}

async function print({ step, seconds, log, failures }: Result, outcome: string): Promise<void> {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  const shown = failures.length === 0 ? lines.slice(-shownLines) : lines.slice(-600);
  console.log(`\n== ${step.title}: ${outcome} after ${seconds.toFixed(0)} s\n${shown.join('\n')}`);
}

function report(): void {
  const rows = results
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ step, seconds, cpuSeconds, tries, failures }) => [
      step.title,
      seconds.toFixed(0),
      cpuSeconds.toFixed(0),
      failures.length === 0 ? (tries === 1 ? '' : 'passed on retry') : 'FAILED',
    ]);
  console.log(`\n${renderTable(['step', 'seconds', 'CPU seconds', 'result'], rows)}`);
  console.log(`\nTotal: ${((Date.now() - startedMs) / 1000).toFixed(0)} s`);
  for (const title of late) console.log(`skipped, not enough time left: ${title}`);
  const failures = results.flatMap((result) => result.failures);
  for (const failure of failures) console.log(`failed: ${failure}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  console.log(`${passed} passed, ${failures.length} failed`);
  if (failures.length > 0) process.exitCode = 1;
}
