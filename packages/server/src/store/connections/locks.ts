import type { Queryable } from '../database/database.ts';

const key = `hashtextextended('sync:' || $1, 0)`;
/** The locks of each session: PostgreSQL would grant a session its own lock again. */
const locksBySession = new WeakMap<Queryable, Set<string>>();

/** Locks a connection for this session until it ends; false if another session has it. */
export async function lockConnection(session: Queryable, deviceId: string): Promise<boolean> {
  const locks = locksOf(session);
  if (locks.has(deviceId)) return false;
  locks.add(deviceId);
  try {
    const result = await session.query<{ locked: boolean }>({
      name: 'connections/lock',
      text: `SELECT pg_try_advisory_lock(${key}) AS locked`,
      values: [deviceId],
    });
    const { locked } = result.rows[0]!;
    if (!locked) locks.delete(deviceId);
    return locked;
  } catch (error) {
    locks.delete(deviceId);
    throw error;
  }
}

export async function unlockConnection(session: Queryable, deviceId: string): Promise<void> {
  try {
    await session.query({
      name: 'connections/unlock',
      text: `SELECT pg_advisory_unlock(${key})`,
      values: [deviceId],
    });
  } finally {
    locksOf(session).delete(deviceId);
  }
}

function locksOf(session: Queryable): Set<string> {
  let locks = locksBySession.get(session);
  if (!locks) locksBySession.set(session, (locks = new Set()));
  return locks;
}
