import type { Queryable } from '../database/database.ts';

const key = `hashtextextended('sync:' || $1, 0)`;
/** The locks of each session: PostgreSQL would grant a session its own lock again. */
const heldBy = new WeakMap<Queryable, Set<string>>();

/** Locks a connection for this session until it ends; false if another session has it. */
export async function lockConnection(session: Queryable, deviceId: string): Promise<boolean> {
  const held = heldOf(session);
  if (held.has(deviceId)) return false;
  held.add(deviceId);
  try {
    const result = await session.query<{ locked: boolean }>({
      name: 'connections/lock',
      text: `SELECT pg_try_advisory_lock(${key}) AS locked`,
      values: [deviceId],
    });
    const { locked } = result.rows[0]!;
    if (!locked) held.delete(deviceId);
    return locked;
  } catch (error) {
    held.delete(deviceId);
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
    heldOf(session).delete(deviceId);
  }
}

function heldOf(session: Queryable): Set<string> {
  let held = heldBy.get(session);
  if (!held) heldBy.set(session, (held = new Set()));
  return held;
}
