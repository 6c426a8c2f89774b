import type { Queryable } from './database.ts';

/** Two kinds of advisory locks: one that every lane holds to be counted, one for each partition. */
const laneClass = 0x7472_6c31;
const partitionClass = 0x7472_7031;

export interface LockHolders {
  lanes: number;
  /** Partitions that some session holds, this one included. */
  held: Set<number>;
}

/** Makes this session one of the lanes that share the partitions, for as long as the session lives. */
export async function joinLanes(session: Queryable): Promise<void> {
  await session.query({ text: `SELECT pg_advisory_lock(${laneClass}, pg_backend_pid())` });
}

/** Who holds what, over all nodes. */
export async function readLockHolders(session: Queryable): Promise<LockHolders> {
  const result = await session.query<{ lanes: number; held: number[] | null }>({
    name: 'partition-locks/holders',
    text: `SELECT count(*) FILTER (WHERE classid = ${laneClass}) AS lanes,
             array_agg(objid::int4) FILTER (WHERE classid = ${partitionClass}) AS held
           FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid IN (${laneClass}, ${partitionClass})
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  });
  const { lanes, held } = result.rows[0]!;
  return { lanes, held: new Set(held) };
}

/** Takes a partition for this session if nobody has it; the lock ends with the session, whatever becomes of the process. */
export async function tryLockPartition(session: Queryable, partition: number): Promise<boolean> {
  const result = await session.query<{ locked: boolean }>({
    name: 'partition-locks/try',
    text: `SELECT pg_try_advisory_lock(${partitionClass}, $1) AS locked`,
    values: [partition],
  });
  return result.rows[0]!.locked;
}

export async function unlockPartition(session: Queryable, partition: number): Promise<void> {
  await session.query({ text: `SELECT pg_advisory_unlock(${partitionClass}, $1)`, values: [partition] });
}
