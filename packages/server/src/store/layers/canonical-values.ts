import type { Queryable } from '../database/database.ts';
import { readAllMonths, type MonthKey } from './reads.ts';

/** All canonical values of a user, in enough detail to detect changes. */
export interface CanonicalValues {
  months: (Omit<MonthKey, 'userId'> & { detail: Buffer })[];
  /** Sleep and workouts: the day, and a digest of the whole session. */
  sessions: { day: number; digest: string }[];
}

const sessionsOf = (table: string) =>
  `SELECT day - date '1970-01-01' AS day, md5(s::text) AS digest FROM ${table} s WHERE user_id = $1`;

export async function readCanonicalValues(tx: Queryable, userId: string): Promise<CanonicalValues> {
  const result = await tx.query<CanonicalValues['sessions'][number]>({
    text: `${sessionsOf('canonical_sleep')} UNION ALL ${sessionsOf('canonical_workouts')}`,
    values: [userId],
  });
  return { months: await readAllMonths(tx, userId), sessions: result.rows };
}
