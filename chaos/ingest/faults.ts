import type { Random } from '@tributary/rig';

type Victim = 'api-1' | 'api-2' | 'ingest-3' | 'ingest-4' | 'postgres' | 'nats' | 'redis';

/** A fault, and the delay after the start of the previous one. */
export interface Fault {
  kind: 'kill' | 'freeze';
  victim: Victim;
  afterMs: number;
  /** Time until the process is restarted or resumed. */
  pauseMs: number;
}

/** Every round kills each part once, and the parts that process batches twice. */
const killed: readonly Victim[] = [
  'api-1',
  'api-2',
  'ingest-3',
  'ingest-4',
  'ingest-3',
  'ingest-4',
  'postgres',
  'nats',
  'redis',
  'postgres',
];
/**
 * One freeze exceeds the database's timeout for silent sessions: other workers take over, and the frozen worker must not write when it
 * resumes. The others are shorter: the worker continues with the data that it read before, and no other worker may have written meanwhile.
 */
const longMs = 7_000;
const shortFreezes = 4;

/** Generates an endless sequence of faults that depends only on the seed. */
export function* planFaults(random: Random): Generator<Fault, never> {
  for (;;) {
    const freezes = [longMs, ...Array.from({ length: shortFreezes }, () => random.int(300, 3_000))];
    const faults = random.shuffle([
      ...killed.map((victim) => ({ kind: 'kill' as const, victim, pauseMs: random.int(200, 3_000) })),
      ...freezes.map((pauseMs) => ({
        kind: 'freeze' as const,
        victim: random.pick<Victim>(['ingest-3', 'ingest-4']),
        pauseMs,
      })),
    ]);
    for (const fault of faults) yield { ...fault, afterMs: random.int(100, 1_800) };
  }
}
