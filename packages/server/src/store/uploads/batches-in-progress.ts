import type { Queryable } from '../database/database.ts';

/**
 * The transactions that are inserting or taking batches at this moment, or those of `among` that still are. Their locks identify them: a statement
 * takes its locks before it reads anything. It may have read a user or session as active that has ended since, and what it is about to write cannot
 * be detected in any other way, not even by a transaction id, which it gets with its first row.
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
