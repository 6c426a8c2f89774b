import type pg from 'pg';
import { inLimitedTransaction } from './database.ts';

const hourMs = 3_600_000;

/** The number of rows of a table with its partitions. */
export interface RowCount {
  table: string;
  rows: number;
}

/** Counts the rows of every table that the role may read, all at the same time. Reads the whole database. */
export function countRows(pool: pg.Pool): Promise<RowCount[]> {
  return inLimitedTransaction(
    pool,
    hourMs,
    async (tx) => {
      const result = await tx.query<RowCount>({
        // One statement, and so one snapshot, although the tables are known only when it runs.
        text: `SELECT c.relname::text AS table,
                 (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %s', c.oid::regclass), false, true, '')))[1]::text::float8 AS rows
               FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                 AND has_table_privilege(c.oid, 'SELECT') ORDER BY 1`,
      });
      return result.rows;
    },
    [{ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] }],
  );
}
