import type { Random } from '@tributary/rig';

type Victim = 'api-1' | 'api-2' | 'ingest-3' | 'ingest-4' | 'postgres' | 'nats' | 'redis';

/** One thing that goes wrong, so long after the one before began. */
export interface Fault {
  kind: 'kill' | 'freeze';
  victim: Victim;
  afterMs: number;
  /** Until it is started, or goes on, again. */
  pauseMs: number;
}

/** In each round everything is killed, what works on batches twice. */
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
 * One freeze is longer than the patience of the database with a session that falls silent: others take over, and who wakes must not write.
 * The others are shorter: who wakes goes on with what it had read before, and nobody may have written meanwhile.
 */
const longMs = 7_000;
const shortFreezes = 4;

/** What goes wrong and when, without end; it follows from the seed alone. */
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
