import type { Queryable } from '../database/database.ts';
import { readAllMonths, type MonthKey } from './reads.ts';

/** All canonical values of a user, in enough detail to detect changes. */
export interface Answers {
  months: (Omit<MonthKey, 'userId'> & { detail: Buffer })[];
  /** Sleep and workouts: the day, and a digest of the whole session. */
  sessions: { day: number; digest: string }[];
}

const sessionsOf = (table: string) =>
  `SELECT day - date '1970-01-01' AS day, md5(s::text) AS digest FROM ${table} s WHERE user_id = $1`;

export async function readAnswers(tx: Queryable, userId: string): Promise<Answers> {
  const result = await tx.query<Answers['sessions'][number]>({
    text: `${sessionsOf('canonical_sleep')} UNION ALL ${sessionsOf('canonical_workouts')}`,
    values: [userId],
  });
  return { months: await readAllMonths(tx, userId), sessions: result.rows };
}
