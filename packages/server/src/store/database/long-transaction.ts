import { minuteMs } from '@tributary/domain';
import type pg from 'pg';
import { inTransaction, type Queryable } from './database.ts';

/** The work may compute between statements, and a statement may touch all data of a user. */
const limitMs = 5 * minuteMs;

/** Runs `work` in one transaction whose statements may take minutes. For jobs and operators, never for a request. */
export function inLongTransaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, work, [
    {
      text: `SELECT set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)`,
      values: [String(limitMs)],
    },
  ]);
}
