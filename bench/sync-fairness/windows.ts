import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '@tributary/rig';
import { holdBackfill, readProgress, resumeBackfill, type Progress } from './backfill.ts';
import type { Pace, Sample, Watch } from './freshness.ts';
import type { World } from './world.ts';

/** How long records were let go of, alone or beside the backfill, and what came of it. */
export interface Window {
  samples: Sample[];
  seconds: number;
  before: Progress;
  after: Progress;
  /** Of the backfill, as the provider counts them. */
  calls: number;
  /** The longest time in which the backfill asked for nothing. */
  longestStallMs: number;
  /** Cores that the service with its engines used, and everybody else on the machine. */
  cores: { service: number; others: number };
}

export interface WindowOptions {
  pace: Pace;
  seconds: number;
  /** How long the backfill goes on before it is measured beside. */
  leadMs: number;
}

export async function measureAlone(world: World, watch: Watch, options: WindowOptions): Promise<Window> {
  await holdBackfill(world);
  return measure(world, watch, options);
}

export async function measureBeside(world: World, watch: Watch, options: WindowOptions): Promise<Window> {
  await resumeBackfill(world);
  await sleep(options.leadMs);
  return measure(world, watch, options);
}

async function measure(world: World, watch: Watch, { pace, seconds }: WindowOptions): Promise<Window> {
  const before = await readProgress(world);
  const used = await coreSeconds(world);
  const watching = watchStalls(world);
  const callsBefore = await world.lab.ask('sharedCalls', null);
  const samples = await watch.measure(pace, seconds);
  const calls = (await world.lab.ask('sharedCalls', null)) - callsBefore;
  const longestStallMs = await watching.end();
  const after = await readProgress(world);
  const usedAfter = await coreSeconds(world);
  const took = (after.atMs - before.atMs) / 1000;
  const cores = {
    service: (usedAfter.service - used.service) / took,
    others: (usedAfter.others - used.others) / took,
  };
  return { samples, seconds: took, before, after, calls, longestStallMs, cores };
}

/** Looks twice a second whether the backfill still asks for something. */
function watchStalls({ lab }: World): { end: () => Promise<number> } {
  const over = new AbortController();
  const watching = (async () => {
    let [calls, sinceMs, longestMs] = [await lab.ask('sharedCalls', null), performance.now(), 0];
    while (!over.signal.aborted) {
      await sleep(500);
      const now = await lab.ask('sharedCalls', null);
      longestMs = Math.max(longestMs, performance.now() - sinceMs);
      if (now > calls) [calls, sinceMs] = [now, performance.now()];
    }
    return longestMs;
  })();
  return {
    end: () => {
      over.abort();
      return watching;
    },
  };
}

async function coreSeconds({ run, lab }: World): Promise<{ service: number; others: number }> {
  const { load = 0, ...parts } = await cpuSeconds(run);
  const service = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const [user = 0, nice = 0, system = 0] = fieldsOf('/proc/stat').slice(1);
  const lost = (user + nice + system) / 100;
  const [ofLab, inLab] = fieldsOf(`/proc/${lab.pid}/stat`).slice(13, 15) as [number, number];
  return { service, others: lost - service - load - (ofLab + inLab) / 100 };
}

/** The numbers of the first line, in hundredths of seconds; Linux alone tells them. */
function fieldsOf(path: string): number[] {
  if (process.platform !== 'linux') return [];
  const [line = ''] = readFileSync(path, 'utf8').split('\n');
  return line
    .replace(/\(.*\)/, '0')
    .split(/ +/)
    .map(Number);
}
