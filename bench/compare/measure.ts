import { progress } from '@tributary/rig';
import { floodByKey, type KeyRequests } from './flood.ts';
import { probeSpeed, processorMicrosOf } from './machine.ts';

/** A process and the requests sent to it. */
export interface Target {
  server: { url: string; readonly pid: number };
  requests: readonly KeyRequests[];
  status: number;
}

/** The measurement of one target in one round. */
export interface Figure {
  perSecond: number;
  microsPerRequest: number;
}

export interface Round {
  old: Figure;
  new: Figure;
  bare: Figure;
  /** Nanoseconds per step of a fixed loop, measured before each slice. */
  speeds: number[];
}

type Part = (typeof roundOrder)[number];
export type Targets = Record<Part, Target>;

/** Both sides twice in opposite order, so that drift of the machine's speed within a round cancels out. */
export const roundOrder = ['old', 'new', 'bare', 'new', 'old'] as const;

const connections = 24;

/** Sends enough requests for the compiler to finish optimizing. */
export async function warmUp(target: Target, requests: number): Promise<void> {
  const longestMs = 30_000;
  const startedAt = performance.now();
  for (let sent = 0; sent < requests && performance.now() - startedAt < longestMs;)
    sent += (await measureSlice(target, 0.5)).responses;
}

/** Measures rounds of short slices. */
export async function measureRounds(
  targets: Targets,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Round[]> {
  const measured: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const slices: Record<Part, Slice[]> = { old: [], new: [], bare: [] };
    const speeds: number[] = [];
    for (const part of roundOrder) {
      speeds.push(probeSpeed());
      slices[part].push(await measureSlice(targets[part], seconds));
    }
    measured.push({ old: sumUp(slices.old), new: sumUp(slices.new), bare: sumUp(slices.bare), speeds });
    const { old, new: latest, bare } = measured.at(-1)!;
    const shown = [old, latest, bare].map(
      ({ perSecond, microsPerRequest }) => `${perSecond.toFixed(0)}/s ${microsPerRequest.toFixed(0)} µs`,
    );
    progress(`round ${round} of ${rounds}: old ${shown[0]}, new ${shown[1]}, bare ${shown[2]}`);
  }
  return measured;
}

interface Slice {
  responses: number;
  seconds: number;
  micros: number;
}

async function measureSlice(
  { server: { url, pid }, requests, status }: Target,
  seconds: number,
): Promise<Slice> {
  const before = processorMicrosOf(pid);
  const flood = await floodByKey(url, requests, { seconds, connections, status });
  return { ...flood, micros: processorMicrosOf(pid) - before };
}

/** Combines the slices of one round. */
export function sumUp(slices: readonly Slice[]): Figure {
  const sum = (pick: (slice: Slice) => number): number =>
    slices.reduce((total, slice) => total + pick(slice), 0);
  const responses = sum((slice) => slice.responses);
  return {
    perSecond: responses / sum((slice) => slice.seconds),
    microsPerRequest: sum((slice) => slice.micros) / responses,
  };
}
