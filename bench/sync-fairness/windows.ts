import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from '@tributary/rig';
import { holdBackfill, readProgress, resumeBackfill, type Progress } from './backfill.ts';
import type { Pace, Sample, Watch } from './freshness.ts';
import type { World } from './world.ts';

/** A measurement of released records, without or with the backfill. */
export interface Window {
  samples: Sample[];
  seconds: number;
  before: Progress;
  after: Progress;
  /** Calls of the backfill, as the provider counts them. */
  calls: number;
  /** The longest time without a call of the backfill. */
  longestStallMs: number;
  /** Cores used by the service with its engines, and by everything else on the machine. */
  cores: { service: number; others: number };
}

export interface WindowOptions {
  pace: Pace;
  seconds: number;
  /** How long the backfill runs before the measurement with it starts. */
  leadMs: number;
}

export async function measureBaseline(world: World, watch: Watch, options: WindowOptions): Promise<Window> {
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
  const callsBefore = await world.lab.request('sharedCalls', null);
  const samples = await watch.measure(pace, seconds);
  const calls = (await world.lab.request('sharedCalls', null)) - callsBefore;
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

/** Checks twice a second whether the backfill still makes calls. */
function watchStalls({ lab }: World): { end: () => Promise<number> } {
  const over = new AbortController();
  const watching = (async () => {
    let [calls, sinceMs, longestMs] = [await lab.request('sharedCalls', null), performance.now(), 0];
    while (!over.signal.aborted) {
      await sleep(500);
      const now = await lab.request('sharedCalls', null);
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

/** The numbers of the first line, in hundredths of a second. Only Linux provides them. */
function fieldsOf(path: string): number[] {
  if (process.platform !== 'linux') return [];
  const [line = ''] = readFileSync(path, 'utf8').split('\n');
  return line
    .replace(/\(.*\)/, '0')
    .split(/ +/)
    .map(Number);
}
