import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Step } from './steps.ts';
import { readReport, type TestReport } from './test-report.ts';

/** The result of a step. */
export interface Result {
  step: Step;
  passed: number;
  /** The failures, one per line. */
  failures: string[];
  seconds: number;
  /** Processor time of the command and of all children that it waited for. */
  cpuSeconds: number;
  tries: number;
  /** The file with all its output. */
  log: string;
}

interface Run {
  code: number | null;
  cpuSeconds: number;
}

/** Maximum number of test files to repeat. If more fail, something is broken. */
const mostRepeated = 12;

/** Runs a step once, with its output in a file. */
export async function runStep(step: Step, dir: string, tries = 1): Promise<Result> {
  const startedAt = performance.now();
  const log = join(dir, `${step.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${tries}.log`);
  const { passed, failures, cpuSeconds } =
    step.kind === 'tests' ? await runTests(step, log, dir) : await runCheck(step, log);
  return {
    step,
    passed,
    failures,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds,
    tries,
    log,
  };
}

type Outcome = Pick<Result, 'passed' | 'failures' | 'cpuSeconds'>;

async function runCheck({ title, command }: Step, log: string): Promise<Outcome> {
  const { code, cpuSeconds } = await execute(command, log);
  return code === 0 ? { passed: 1, failures: [], cpuSeconds } : { passed: 0, failures: [title], cpuSeconds };
}

/** Repeats files with failures once, one at a time: tests that timed out on a busy machine then pass, and broken ones do not. */
async function runTests({ title, command }: Step, log: string, dir: string): Promise<Outcome> {
  const first = await runVitest(command, log, join(dir, `${title}.json`));
  const files = first.report?.failedFiles ?? [];
  // Without a failed file there is nothing to repeat. If an error occurred between tests, all files are repeated.
  const isStray = first.code !== 0 && files.length === 0;
  if (!first.report || (files.length === 0 && !isStray) || files.length > mostRepeated)
    return outcomeOf(title, first);
  const again = await runVitest(
    [...command, '--no-file-parallelism', ...files],
    log,
    join(dir, `${title}-again.json`),
  );
  const { passed, failures } = outcomeOf(title, again);
  const cpuSeconds = first.cpuSeconds + again.cpuSeconds;
  const repaired = Math.max(0, first.report.failed - failures.length);
  return { passed: again.report ? first.report.passed + repaired : passed, failures, cpuSeconds };
}

type TestRun = Run & { report: TestReport | null };

async function runVitest(command: readonly string[], log: string, file: string): Promise<TestRun> {
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const run = await execute([...command, ...reporters], log);
  return { ...run, report: readReport(await readFile(file, 'utf8').catch(() => '')) };
}

function outcomeOf(title: string, { code, report, cpuSeconds }: TestRun): Outcome {
  if (!report) return { passed: 0, failures: [`${title}: no report`], cpuSeconds };
  const failures = report.failures.map((name) => `${title}: ${name}`);
  if (code !== 0 && failures.length === 0) failures.push(`${title}: exit code ${code}`);
  return { passed: report.passed, failures, cpuSeconds };
}

/** The shell's `time` counts processor time, including that of exited child processes. */
async function execute(command: readonly string[], log: string): Promise<Run> {
  const output = createWriteStream(log, { flags: 'a' });
  await once(output, 'open');
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" 2>&1', 'bash', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(output);
  let times = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (times += text));
  const [code] = (await once(child, 'close')) as [number | null];
  await finished(output);
  const [user = 0, system = 0] = (times.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { code, cpuSeconds: user + system };
}
