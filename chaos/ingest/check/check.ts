import { progress, type RunStack } from '@tributary/rig';
import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from '../history.ts';
import { modelUser } from '../model/user-model.ts';
import type { Person } from '../people.ts';
import { compareBatches } from './compare-batches.ts';
import { compareUser } from './compare-user.ts';
import type { Difference } from './differences.ts';
import { explain } from './explain.ts';
import { readUser } from './stored.ts';

/** The result of a run. */
export interface Verdict {
  differences: Difference[];
  /** Explanations of the first few differences. */
  explained: string[];
  /** Batches still pending after the timeout, and dead letters. */
  pending: number;
  deadLetters: number;
  drainedMs: number;
  /** Counts of compared items. */
  compared: { batches: number; unknown: number; samples: number; days: number; sessions: number };
}

const mostExplained = 10;

/** Waits until nothing is pending, or for at most `mostMs`. Returns the number of pending batches and the time waited. */
export async function awaitDrain(
  db: RunStack['admin'],
  mostMs: number,
): Promise<{ pending: number; ms: number }> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await db.query<{ count: number }>('SELECT count(*) FROM pending_batches');
    const [pending, ms] = [rows[0]!.count, performance.now() - startedAt];
    if (pending === 0 || ms > mostMs) return { pending, ms };
    await sleep(20);
  }
}

/** Compares the database with what it must contain after this history. Nothing may be writing to it at this point. */
export async function check(
  db: RunStack['admin'],
  people: readonly Person[],
  history: History,
  drainMs: number,
): Promise<Verdict> {
  const { pending, ms } = await awaitDrain(db, drainMs);
  progress(`checking: ${pending} batches pending after ${(ms / 1000).toFixed(1)} s`);
  const { differences, counted, arrivedUnknown } = await compareBatches(db, people, history.uploads);
  const compared = { batches: 0, unknown: arrivedUnknown, samples: 0, days: 0, sessions: 0 };
  for (const { userAt, userId, persona } of people) {
    const batches = counted.get(userAt)!;
    const model = modelUser(persona.timezone, batches);
    const stored = await readUser(db, userId);
    differences.push(...compareUser(userAt, model, stored));
    if (model.canonicalValues.size > 0 && stored.updates === 0)
      differences.push({
        wrong: 'lost',
        what: 'event',
        userAt,
        at: userId,
        expected: 'data.updated',
        actual: 'none',
      });
    compared.batches += batches.length;
    compared.samples += [...model.normalized.readings.values()].reduce((sum, { size }) => sum + size, 0);
    compared.days += model.canonicalValues.size;
    compared.sessions += model.sleep.size + model.workouts.size;
  }
  const { rows } = await db.query<{ count: number }>('SELECT count(*) FROM dead_letters');
  return {
    differences,
    explained: differences.slice(0, mostExplained).map((difference) => explain(difference, people, counted)),
    pending,
    deadLetters: rows[0]!.count,
    drainedMs: ms,
    compared,
  };
}
