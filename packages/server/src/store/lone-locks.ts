import type { Queryable } from './database.ts';

/** Work that one session does at a time, over all nodes. */
const loneLocks = { sequencer: 0x7472_7371, auditor: 0x7472_6175 } as const;

export type LoneWork = keyof typeof loneLocks;

/** Makes this session the one that does this work, for as long as it lives; false when another one does. */
export async function tryLoneLock(session: Queryable, work: LoneWork): Promise<boolean> {
  const result = await session.query<{ locked: boolean }>({
    text: `SELECT pg_try_advisory_lock(${loneLocks[work]}) AS locked`,
  });
  return result.rows[0]!.locked;
}
