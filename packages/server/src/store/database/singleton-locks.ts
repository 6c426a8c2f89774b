import type { Queryable } from './database.ts';

/** Work that only one session does at a time, across all nodes. */
const singletonLocks = { sequencer: 0x7472_7371, auditor: 0x7472_6175, monitor: 0x7472_6d6f } as const;

export type SingletonTask = keyof typeof singletonLocks;

/** Locks this work for the session until it ends; false if another session has it. */
export async function trySingletonLock(session: Queryable, work: SingletonTask): Promise<boolean> {
  const result = await session.query<{ locked: boolean }>({
    text: `SELECT pg_try_advisory_lock(${singletonLocks[work]}) AS locked`,
  });
  return result.rows[0]!.locked;
}
