import { minuteMs } from '@tributary/domain';
import type pg from 'pg';
import { inLimitedTransaction, type Queryable } from './database.ts';

/** The work may compute between statements, and a statement may touch all data of a user. */
const limitMs = 5 * minuteMs;

/** Runs `work` in one transaction whose statements may take minutes. For jobs and operators, never for a request. */
export function inLongTransaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inLimitedTransaction(pool, limitMs, work);
}
