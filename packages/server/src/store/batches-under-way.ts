import type { Queryable } from './database.ts';

/**
 * The transactions that are bringing batches in or taking them up at this moment, or those of `among` that still are. They are told by
 * their locks, which a statement takes before it looks at anything: it may have found a user or a session alive that has ended meanwhile,
 * and what it is about to write cannot be seen in any other way, not even by the number of its transaction, which it gets with its first row.
 */
export async function listBatchesUnderWay(db: Queryable, among?: readonly string[]): Promise<string[]> {
  const result = await db.query<{ id: string }>({
    text: `SELECT DISTINCT virtualtransaction AS id FROM pg_locks
           WHERE locktype = 'relation' AND relation = 'pending_batches'::regclass
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
             AND ($1::text[] IS NULL OR virtualtransaction = ANY ($1))`,
    values: [among ?? null],
  });
  return result.rows.map(({ id }) => id);
}
