import type { Queryable } from './database.ts';

/**
 * The transactions that are committing uploads at this moment, or those of `among` that still are. They are told by their locks, which a
 * statement takes before it looks at anything: it may have found its session alive though that ended meanwhile, and what it is about to
 * insert cannot be seen in any other way, not even by the number of its transaction, which it gets with its first row.
 */
export async function listUploadsUnderWay(db: Queryable, among?: readonly string[]): Promise<string[]> {
  const result = await db.query<{ id: string }>({
    text: `SELECT u.virtualtransaction AS id FROM pg_locks u JOIN pg_locks s USING (virtualtransaction, pid)
           WHERE u.locktype = 'relation' AND u.relation = 'raw_batches'::regclass AND u.mode = 'RowExclusiveLock' AND u.granted
             AND s.locktype = 'relation' AND s.relation = 'sdk_sessions'::regclass AND s.mode = 'AccessShareLock'
             AND u.database = (SELECT oid FROM pg_database WHERE datname = current_database())
             AND ($1::text[] IS NULL OR u.virtualtransaction = ANY ($1))`,
    values: [among ?? null],
  });
  return result.rows.map(({ id }) => id);
}
