import { setTimeout as sleep } from 'node:timers/promises';
import { openService, progress, Random, type Patch, startRunStack } from '@tributary/rig';
import { check, type Verdict } from './check/check.ts';
import { keepEvidence } from './evidence.ts';
import { planFaults } from './faults.ts';
import { Freezes } from './freezes.ts';
import { History } from './history.ts';
import { Load } from './load.ts';
import { createPeople } from './people.ts';
import { Victims } from './victims.ts';

export interface ChaosOptions {
  seed: string;
  /** The run continues until it has reached both this number of kills and this number of acknowledged values. */
  kills: number;
  values: number;
  users: number;
  /** Average pause of a user between uploads. */
  restMs: number;
  /** Time for the service to process pending batches at the end. */
  drainMs: number;
  patches?: readonly Patch[];
}

export interface ChaosResult {
  verdict: Verdict;
  history: History;
  victims: Victims;
  freezes: Freezes;
  /** Processes that exited without being killed. */
  ended: string[];
  seconds: number;
}

/** Uploads under faults, then compares the stored data with the acknowledged uploads. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const startedAt = performance.now();
  const random = new Random(options.seed);
  await using service = await openService(options.patches);
  const ended: string[] = [];
  let victims: Victims | null = null;
  await using run = await startRunStack(
    ['api', 'api', 'ingest', 'ingest', 'jobs'],
    { LOG_LEVEL: 'warn' },
    {
      program: service.program,
      onUnexpectedExit: ({ name, reason, lastLines }) => {
        ended.push(`${name} (${reason})`);
        progress(`${name} exited unexpectedly: ${reason}\n${lastLines}`);
        victims?.mourn(name);
      },
    },
  );
  const freezes = new Freezes(run.admin);
  const suffering = new Victims(run, (victim, woken) => void freezes.watch(victim, woken));
  victims = suffering;
  const people = await createPeople(run, options.users, random.fork('people'));
  const history = new History();
  using load = new Load(
    run.api.map(({ baseUrl }) => baseUrl),
    people,
    history,
    random,
    options,
  );
  const reporting = setInterval(() => progress(describe(suffering, history)), 3_000);
  try {
    load.start();
    await suffering.suffer(
      planFaults(random.fork('faults')),
      // One more kill follows at the end.
      () => suffering.kills + 1 >= options.kills && history.acknowledgedValues >= options.values,
    );
    load.stop();
    await load.finish();
    // The last uploads are committed while no pointer to them can be sent.
    suffering.kill('nats');
    await load.round();
    await sleep(500);
    await suffering.revive('nats');
  } finally {
    clearInterval(reporting);
  }
  progress(describe(suffering, history));
  const verdict = await check(run.admin, people, history, options.drainMs);
  const isClean = verdict.differences.length === 0 && verdict.pending === 0 && ended.length === 0;
  if (!isClean && !options.patches) await keepEvidence(run, history);
  const seconds = (performance.now() - startedAt) / 1000;
  return { verdict, history, victims: suffering, freezes, ended, seconds };
}

function describe({ kills, freezes }: Victims, history: History): string {
  const { acknowledgedUploads, acknowledgedValues, counts } = history;
  return (
    `${kills} killed, ${freezes} frozen; ${acknowledgedUploads} uploads and ${acknowledgedValues} values acknowledged; ` +
    `${counts.unknown} requests with an unknown outcome`
  );
}
