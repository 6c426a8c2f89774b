import { setTimeout as sleep } from 'node:timers/promises';
import {
  openService,
  median,
  progress,
  Random,
  type RunStack,
  type RunStackOptions,
  startRunStack,
} from '@tributary/rig';
import { awaitDrain, check, type Verdict } from '../ingest/check/check.ts';
import { keepEvidence } from '../ingest/evidence.ts';
import { History } from '../ingest/history.ts';
import { Load } from '../ingest/load.ts';
import { createPeople } from '../ingest/people.ts';

const users = 30;
const restMs = 700;
const drainMs = 60_000;
/** Number of single uploads at the end that measure processing delay. Without pointers, workers poll and take half a second on average. */
const probeCount = 9;
const soonMs = 250;
export const mostPointersMs = 30_000;

export interface LoadedRun {
  verdict: Verdict;
  history: History;
  /** Time until pointers triggered processing again, measured from the moment the queue was empty. */
  pointersMs: number;
  ended: string[];
}

/** Disturbs a service under a steady load of uploads, then compares the stored data with the acknowledged uploads. */
export async function underLoad(
  seed: string,
  env: NodeJS.ProcessEnv,
  existing: NonNullable<RunStackOptions['existing']>,
  disturb: (run: RunStack) => Promise<void>,
): Promise<LoadedRun> {
  const random = new Random(seed);
  await using service = await openService();
  const ended: string[] = [];
  await using run = await startRunStack(
    ['api', 'api', 'ingest', 'ingest'],
    { LOG_LEVEL: 'warn', ...env },
    {
      program: service.program,
      existing,
      onUnexpectedExit: ({ name, reason, lastLines }) => {
        ended.push(`${name} (${reason})`);
        progress(`${name} exited unexpectedly: ${reason}\n${lastLines}`);
      },
    },
  );
  const people = await createPeople(run, users, random.fork('people'));
  const history = new History();
  const nodes = run.api.map(({ baseUrl }) => baseUrl);
  using load = new Load(nodes, people, history, random, { restMs });
  load.start();
  await sleep(2_000);
  await disturb(run);
  load.stop();
  await load.finish();
  const pointersMs = await awaitPointers(run, load);
  const verdict = await check(run.admin, people, history, drainMs);
  if (verdict.differences.length > 0 || verdict.pending > 0) await keepEvidence(run, history);
  return { verdict, history, pointersMs, ended };
}

/** Uploads one batch at a time to an idle service until half of them are processed faster than by polling. Returns how long that took. */
async function awaitPointers({ admin }: RunStack, load: Load): Promise<number> {
  await awaitDrain(admin, drainMs);
  const startedAt = performance.now();
  for (;;) {
    const times: number[] = [];
    for (let left = probeCount; left > 0; left -= 1) {
      await load.one();
      times.push((await awaitDrain(admin, 2_000)).ms);
      await sleep(170);
    }
    const ms = performance.now() - startedAt;
    if (median(times) <= soonMs) return ms;
    if (ms > mostPointersMs) return Infinity;
  }
}
